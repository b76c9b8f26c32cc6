import type { ThemeRegistration } from 'shiki/core';

/** The TextMate scopes of each color: `keyword` stands for `--syntax-keyword` in `app/globals.css`. */
const SCOPES = {
  comment: ['comment', 'punctuation.definition.comment'],
  string: ['string', 'punctuation.definition.string', 'markup.inline.raw', 'markup.fenced_code'],
  regexp: ['string.regexp', 'constant.character.escape', 'constant.character.entity'],
  number: ['constant.numeric', 'constant.other.color', 'keyword.other.unit'],
  keyword: [
    'keyword',
    'storage',
    'constant.language',
    'variable.language',
    'keyword.operator.new',
    'keyword.operator.expression',
    'keyword.operator.logical.python',
    'markup.heading',
    'entity.name.section',
    'meta.diff.range',
  ],
  function: ['entity.name.function', 'support.function', 'markup.underline.link'],
  type: [
    'entity.name.type',
    'entity.name.class',
    'entity.name.namespace',
    'entity.other.inherited-class',
    'support.class',
    'support.type',
  ],
  variable: ['variable', 'variable.other.constant', 'support.variable', 'support.constant.property-value'],
  property: [
    'variable.other.property',
    'variable.other.object.property',
    'variable.other.constant.property',
    'variable.object.property',
    'support.variable.property',
    'support.type.property-name',
    'meta.object-literal.key',
    'entity.name.tag.yaml',
  ],
  tag: ['entity.name.tag', 'entity.name.tag punctuation', 'support.class.component'],
  attribute: ['entity.other.attribute-name', 'entity.name.function.decorator', 'punctuation.decorator'],
  punctuation: ['keyword.operator', 'punctuation', 'meta.brace'],
  added: ['markup.inserted', 'meta.diff.header.to-file', 'punctuation.definition.inserted'],
  removed: ['markup.deleted', 'meta.diff.header.from-file', 'punctuation.definition.deleted', 'invalid'],
} as const satisfies Record<string, readonly string[]>;

const FONT_STYLES = { 'markup.bold': 'bold', 'markup.heading': 'bold', 'markup.italic': 'italic' };

/** The theme of highlighted code. Its colors are CSS variables, so the same tokens fit light and dark. */
export const CODE_THEME = {
  name: 'studio',
  fg: 'var(--text)',
  bg: 'var(--surface-sunken)',
  settings: [
    ...Object.entries(SCOPES).map(([name, scope]) => ({
      scope: [...scope],
      settings: { foreground: `var(--syntax-${name})` },
    })),
    ...Object.entries(FONT_STYLES).map(([scope, fontStyle]) => ({ scope, settings: { fontStyle } })),
  ],
} satisfies ThemeRegistration;
