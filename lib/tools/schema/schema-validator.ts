import {
  ignoredKeyword,
  type Schema,
  type SchemaDraft,
  schemaArrayKeyword,
  schemaMapKeyword,
  Validator,
} from '@cfworker/json-schema';
import { messageOf } from '#lib/base/message-of.ts';
import type { ParsedInput } from '../core/tool.ts';
import { keywordsOf, type ObjectSchema, referencedSchema } from './json-schema.ts';

/** The most schemas that are applied in one check, which takes about 50 ms. References may multiply without end. */
const MAX_STEPS = 100_000;

/** The time limit of one check, in milliseconds: the time for one schema grows with its size and the value's. */
const MAX_MS = 300;

/** The most time that one applied schema counts, in milliseconds: the machine may also have been asleep, or busy otherwise. */
const STEP_MAX_MS = 50;

/** The most problems that are named at once. */
const MAX_ISSUES = 5;

/** Matches messages of the validator that only say that the problem lies deeper, or in another branch. */
const SUMMARY =
  /^(A subschema had errors|Property "[^"]*" does not match (additional properties )?schema|Items did not match schema)\.?$/;

/**
 * Checks values against a JSON Schema without compiling code, which a page's content security policy may forbid. Patterns,
 * formats, and `uniqueItems` are not checked, because they may be slow.
 */
export class SchemaValidator {
  readonly #validator: Validator;
  #steps = 0;
  /** The time that the current check has taken, in milliseconds. */
  #spentMs = 0;
  /** The time at which the check began to apply its last schema, in milliseconds. */
  #stepAt = 0;

  /** Throws for a schema that cannot be checked, such as one with a reference that leads nowhere. */
  constructor(schema: ObjectSchema) {
    const countStep = () => {
      if (++this.#steps > MAX_STEPS) throw new Error('it takes too many steps');
      const now = performance.now();
      this.#spentMs += Math.min(now - this.#stepAt, STEP_MAX_MS);
      this.#stepAt = now;
      if (this.#spentMs > MAX_MS) throw new Error('it takes too long');
    };
    // Names of its own change what references are relative to; those are found out when they are followed.
    const isNamed = JSON.stringify(schema).includes('"$id"');
    const onReference = (reference: string) => isNamed || checkReference(reference, schema);
    const copy = withoutSlow(schema, { countStep, onReference });
    this.#validator = new Validator(copy, draftOf(schema), false);
    // A schema may refer to itself without end; that shows with any value.
    this.#validate({});
  }

  #validate(value: unknown): ReturnType<Validator['validate']> {
    this.#steps = 0;
    this.#spentMs = 0;
    this.#stepAt = performance.now();
    return this.#validator.validate(value);
  }

  /**
   * Returns the value as it is, or up to `MAX_ISSUES` problems with it, such as that the check takes too long. Never throws.
   */
  check(value: unknown): ParsedInput {
    try {
      const { valid, errors } = this.#validate(value);
      if (valid) return { success: true, data: value };
      const leaves = errors.filter(({ error }) => !SUMMARY.test(error));
      const issues = (leaves.length > 0 ? leaves : errors).slice(0, MAX_ISSUES);
      return {
        success: false,
        issues: issues.map(({ instanceLocation, error }) => ({
          path: pathOf(instanceLocation),
          message: plain(error),
        })),
      };
    } catch (error) {
      const [reason] = messageOf(error).split('\n');
      return { success: false, issues: [{ path: '', message: `The schema cannot check this: ${reason}` }] };
    }
  }
}

/** The draft of JSON Schema that a schema is written for: the one that it names, or one that fits the keywords it uses. */
function draftOf(schema: ObjectSchema): SchemaDraft {
  const { $schema = '', definitions } = schema;
  const [, named = ''] = /draft-0?(4|6|7)\b|(2019-09|2020-12)/.exec(String($schema)) ?? [];
  if (named === '4') return '4';
  if (named !== '') return '7';
  if (/2019-09/.test(String($schema))) return '2019-09';
  // Since 2020-12, a tuple is written as `prefixItems`.
  const isOlder = keywordsOf(definitions) !== undefined || /"items":\[/.test(JSON.stringify(schema));
  return isOlder && $schema === '' ? '7' : '2020-12';
}

/** A JSON pointer such as `#/edits/0/find` as `edits[0].find`; '' for the whole. */
const pathOf = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((segment) => decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((segment, index) => (/^\d+$/.test(segment) ? `[${segment}]` : index === 0 ? segment : `.${segment}`))
    .join('');

/** A message of the validator in plain words, and without the full stop, which the executor adds. */
const plain = (message: string): string =>
  message
    .replace(/\.$/, '')
    .replace(/^False boolean schema$/, 'is not allowed')
    .replace(/^Instance type "(\w+)" is invalid\. Expected "([^"]+)"$/, 'must be $2, not $1')
    .replace(/^Instance does not have required property ("[^"]*")$/, 'the property $1 is missing')
    .replace(/^Instance matched "not" schema$/, 'must not match the schema in "not"')
    .replace(/^Instance /, '');

/** Throws if a reference within the schema leads nowhere. */
function checkReference(reference: string, root: ObjectSchema): void {
  if (!reference.startsWith('#/')) return;
  if (referencedSchema(decodeURIComponent(reference), root) === undefined)
    throw new Error(`the reference ${reference} cannot be resolved`);
}

/** Keywords whose members are schemas by name. */
const BY_NAME = new Set([...Object.keys(schemaMapKeyword), 'dependencies']);

interface CopyOptions {
  /** Called whenever the validator applies the schema or one within it. It may throw. */
  countStep(): void;
  /** Called with each reference to another schema. It may throw. */
  onReference(reference: string): void;
}

/**
 * Keywords that are not checked: regular expressions, formats, which are regular expressions, too, and `uniqueItems`, which
 * compares all items and is slow.
 */
const SLOW: ReadonlySet<string> = new Set(['pattern', 'patternProperties', 'format', 'uniqueItems']);

/**
 * Copies a schema without the keywords in `SLOW`, with which a foreign schema could freeze the page. Values that do not match
 * these keywords are left for the tool itself to refuse.
 */
function withoutSlow(schema: ObjectSchema, { countStep, onReference }: CopyOptions): Schema {
  const copyOf = (value: unknown): unknown => {
    const keywords = keywordsOf(value);
    if (keywords === undefined) return value;
    if (typeof keywords.$ref === 'string') onReference(keywords.$ref);
    const hasPatterns = keywords.patternProperties !== undefined;
    const entries = Object.entries(keywords).flatMap(([keyword, inner]): [string, unknown][] => {
      if (SLOW.has(keyword)) return [];
      // Without the patterns, it is not known which properties remain.
      if (hasPatterns && (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties')) return [];
      if (Array.isArray(inner)) return [[keyword, schemaArrayKeyword[keyword] ? inner.map(copyOf) : inner]];
      if (ignoredKeyword[keyword]) return [[keyword, inner]];
      const named = BY_NAME.has(keyword) ? keywordsOf(inner) : undefined;
      if (named === undefined) return [[keyword, copyOf(inner)]];
      return [[keyword, Object.fromEntries(Object.entries(named).map(([name, one]) => [name, copyOf(one)]))]];
    });
    // The validator reads each keyword that it knows, this one included, whenever it applies a schema.
    return Object.defineProperty(Object.fromEntries(entries), 'pattern', { get: countStep });
  };
  return copyOf(schema) as Schema;
}
