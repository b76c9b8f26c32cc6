import { coerce, propertySchema, type Schema, typesOf } from './coerce.ts';
import type { Output } from './output.ts';
import type { ProtocolTool } from './tool-names.ts';

/** How many pieces of a text are kept as such: a million small strings would be as many things to collect. */
const PIECES_AT_ONCE = 1_000;

/**
 * One call on its way out. Whatever the model's own form was, what leaves is plain JSON text, argument by argument:
 * text flows as it comes, other values when they are whole, each as the tool's schema wants it.
 */
export class CallWriter {
  readonly #output: Output;
  readonly #toolCallId: string;
  readonly #toolName: string;
  readonly #schema: Schema;
  /** The arguments so far, in the order written. */
  readonly #entries: [key: string, value: unknown][] = [];
  readonly #keys = new Set<string>();
  /** The text argument that is being written. */
  #open: { key: string; text: string; pieces: string[] } | undefined;
  /** The first half of a surrogate pair whose second half has not come yet. */
  #half = '';

  constructor(output: Output, toolCallId: string, toolName: string, tool: ProtocolTool | undefined) {
    this.#output = output;
    this.#toolCallId = toolCallId;
    this.#toolName = toolName;
    this.#schema = (tool?.inputSchema as Schema | undefined) ?? {};
    output.emit({ type: 'tool-input-start', toolCallId, toolName });
  }

  /** Whether an argument is text, so that it can leave before it is whole. */
  takesText(key: string): boolean {
    const types = typesOf(this.#propertySchema(key), this.#schema);
    return types.size === 0 || types.has('string');
  }

  /** Whether an argument is text and can be nothing else. */
  takesOnlyText(key: string): boolean {
    const types = typesOf(this.#propertySchema(key), this.#schema);
    return types.has('string') && types.size === 1;
  }

  /** Whether the tool names such an argument. */
  knows(key: string): boolean {
    return this.#propertySchema(key) !== undefined;
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  /** Whether every argument that the tool must have is there. */
  get hasRequired(): boolean {
    const required = typeof this.#schema === 'object' ? this.#schema.required : undefined;
    return !Array.isArray(required) || required.every((key) => this.#keys.has(String(key)));
  }

  beginText(key: string): void {
    this.#key(key);
    this.#write('"');
    this.#open = { key, text: '', pieces: [] };
  }

  text(piece: string): void {
    let whole = this.#half + piece;
    this.#half = '';
    const last = whole.charCodeAt(whole.length - 1);
    if (last >= 0xd800 && last < 0xdc00) {
      this.#half = whole.slice(-1);
      whole = whole.slice(0, -1);
    }
    this.#writeText(whole);
  }

  endText(): void {
    this.#writeText(this.#half);
    this.#half = '';
    this.#write('"');
    this.#keepText();
  }

  /** An argument as a whole. */
  value(key: string, value: unknown): void {
    const wanted = coerce(value, this.#propertySchema(key), this.#schema);
    const json = JSON.stringify(wanted) ?? 'null';
    this.#key(key);
    this.#entries.push([key, JSON.parse(json)]);
    this.#write(json);
  }

  /** The arguments are whole. */
  finish(): void {
    if (this.#open !== undefined) this.endText();
    this.#write(this.#keys.size === 0 ? '{}' : '}');
    this.#end(Object.fromEntries(this.#entries), {});
  }

  /** The reply ended inside the arguments. */
  cut(): void {
    this.#keepText();
    this.#end(Object.fromEntries(this.#entries), { incomplete: true });
  }

  /** What stands for the arguments is no object: it is handed on as the text it is, which fits no schema. */
  fail(written: string): void {
    this.#write(JSON.stringify(written));
    this.#end(written, {});
  }

  #end(input: unknown, how: { incomplete?: true }): void {
    this.#output.calls++;
    this.#output.emit({
      type: 'tool-call',
      toolCallId: this.#toolCallId,
      toolName: this.#toolName,
      input,
      ...how,
    });
  }

  /** The text argument as far as it was written. */
  #keepText(): void {
    const open = this.#open;
    if (open !== undefined) this.#entries.push([open.key, open.text + open.pieces.join('')]);
    this.#open = undefined;
  }

  #writeText(text: string): void {
    if (text === '') return;
    const open = this.#open;
    if (open !== undefined && open.pieces.push(text) === PIECES_AT_ONCE) {
      open.text += open.pieces.join('');
      open.pieces.length = 0;
    }
    this.#write(JSON.stringify(text).slice(1, -1));
  }

  #key(key: string): void {
    this.#write(`${this.#keys.size === 0 ? '{' : ','}${JSON.stringify(key)}:`);
    this.#keys.add(key);
  }

  #write(delta: string): void {
    if (delta === '') return;
    this.#output.emit({ type: 'tool-input-delta', toolCallId: this.#toolCallId, delta });
  }

  #propertySchema(key: string): Schema | undefined {
    return propertySchema(this.#schema, key, this.#schema);
  }
}
