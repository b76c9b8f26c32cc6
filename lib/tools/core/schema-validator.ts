import { type Schema, type SchemaDraft, Validator } from '@cfworker/json-schema';
import { keywordsOf, type ObjectSchema, referencedSchema } from './json-schema.ts';
import type { ParsedInput } from './tool.ts';

/** The most problems that are named at once. */
const MAX_ISSUES = 5;

/** What a validator says where the problem lies deeper, or in another branch. */
const SUMMARY =
  /^(A subschema had errors|Property "[^"]*" does not match (additional properties )?schema|Items did not match schema)\.?$/;

/** Checks values against a JSON Schema, without compiling code, which a page's policy may forbid. */
export class SchemaValidator {
  readonly #validator: Validator;

  /** Throws for a schema that cannot be checked, such as one with a reference that leads nowhere. */
  constructor(schema: ObjectSchema) {
    checkReferences(schema);
    this.#validator = new Validator(withoutPatterns(schema), draftOf(schema), false);
    // A schema may refer to itself without end; that shows with any value.
    this.#validator.validate({});
  }

  /** The value as it is, or what is wrong with it. */
  check(value: unknown): ParsedInput {
    try {
      const { valid, errors } = this.#validator.validate(value);
      if (valid) return { success: true, data: value };
      const issues = errors.map(({ instanceLocation, error }) => ({
        path: pathOf(instanceLocation),
        message: plain(error),
      }));
      const leaves = issues.filter(({ message }) => !SUMMARY.test(message));
      return { success: false, issues: (leaves.length > 0 ? leaves : issues).slice(0, MAX_ISSUES) };
    } catch (error) {
      const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
      return { success: false, issues: [{ path: '', message: `The schema cannot check this: ${reason}` }] };
    }
  }
}

/** The draft that a schema is written for: the one that it names, or the oldest that has what it uses. */
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

/** In plain words, and without the full stop, which the executor adds. */
const plain = (message: string): string =>
  message
    .replace(/\.$/, '')
    .replace(/^False boolean schema$/, 'is not allowed')
    .replace(/^Instance type "(\w+)" is invalid\. Expected "([^"]+)"$/, 'must be $2, not $1')
    .replace(/^Instance does not have required property ("[^"]*")$/, 'the property $1 is missing')
    .replace(/^Instance matched "not" schema$/, 'must not match the schema in "not"')
    .replace(/^Instance /, '');

/** Throws if a reference within the schema leads nowhere. */
function checkReferences(schema: ObjectSchema): void {
  const text = JSON.stringify(schema);
  // Names of its own change what references are relative to; those are found out when they are followed.
  if (text.includes('"$id"')) return;
  for (const [, reference = ''] of text.matchAll(/"\$ref":"(#[^"\\]*)"/g)) {
    if (reference.includes('/') && referencedSchema(decodeURIComponent(reference), schema) === undefined)
      throw new Error(`the reference ${reference} leads nowhere`);
  }
}

/**
 * Without regular expressions: one from elsewhere could hold up the page. The tool itself refuses what does not match.
 */
const withoutPatterns = (schema: ObjectSchema): Schema =>
  JSON.parse(JSON.stringify(schema), (key, value) => {
    if (key === 'pattern' && typeof value === 'string') return undefined;
    if (keywordsOf(value)?.patternProperties === undefined) return value;
    const { patternProperties: _, additionalProperties: __, unevaluatedProperties: ___, ...rest } = value;
    return rest;
  });
