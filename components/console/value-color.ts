import type { RenderedValue } from '#lib/tools/capabilities/rendered-value.ts';

/** The patterns of values that are shown without quotes, and their color classes. */
const KINDS = [
  { pattern: /^-?(?:\d[\d.]*(?:e[+-]?\d+)?n?|Infinity|NaN)$/, color: 'text-(color:--syntax-number)' },
  { pattern: /^(?:true|false|null|undefined)$/, color: 'text-(color:--syntax-keyword)' },
  { pattern: /^\[Function .*\]$/, color: 'text-(color:--syntax-function)' },
  { pattern: /^\/.+\/[a-z]*$/, color: 'text-(color:--syntax-regexp)' },
];

/** The class with a value's syntax color, or `''`. A string has one only as part of an object: on its own it is plain text. */
export function valueColor(value: RenderedValue, isPart: boolean): string {
  switch (value.type) {
    case 'error':
      return 'text-failed';
    case 'string':
      return isPart ? 'text-(color:--syntax-string)' : '';
    case 'text':
      return KINDS.find(({ pattern }) => pattern.test(value.text))?.color ?? '';
    default:
      return '';
  }
}
