import { coerce, propertySchema, type Schema, typesOf } from './coerce.ts';
import type { Output } from './output.ts';
import type { ProtocolTool } from './tool-names.ts';

/**
 * The number of pieces of a text that are kept before they are joined: many small strings would burden the garbage
 * collector.
 */
const PIECES_AT_ONCE = 1_000;

/**
 * Writes one call to the parser's `Output`. Whatever form the model used, the arguments are written as plain JSON text, one
 * by one: text is streamed as it arrives, other values are written when complete, each converted to fit the tool's schema.
 */
export class CallWriter {
  readonly #output: Output;
  readonly #toolCallId: string;
  readonly #toolName: string;
  readonly #schema: Schema;
  /** The arguments so far, in the order written. */
  readonly #entries: [key: string, value: unknown][] = [];
  readonly #keys = new Set<string>();
  /** The text argument being written. `text`: its joined beginning. `pieces`: those that have come since. */
  #open: { key: string; text: string; pieces: string[] } | undefined;
  /** The first half of a surrogate pair whose second half has not arrived yet. */
  #half = '';

  /** Starts the call. `tool`: undefined if the name is unknown. */
  constructor(output: Output, toolCallId: string, toolName: string, tool: ProtocolTool | undefined) {
    this.#output = output;
    this.#toolCallId = toolCallId;
    this.#toolName = toolName;
    this.#schema = (tool?.inputSchema as Schema | undefined) ?? {};
    output.emit({ type: 'tool-input-start', toolCallId, toolName });
  }

  /** Checks whether an argument may be text, so that it can be streamed before it is complete. */
  takesText(key: string): boolean {
    const types = typesOf(this.#propertySchema(key), this.#schema);
    return types.size === 0 || types.has('string');
  }

  /** Checks whether an argument can only be text. */
  takesOnlyText(key: string): boolean {
    const types = typesOf(this.#propertySchema(key), this.#schema);
    return types.has('string') && types.size === 1;
  }

  /** Checks whether the tool's schema declares this argument. */
  knows(key: string): boolean {
    return this.#propertySchema(key) !== undefined;
  }

  /** Checks whether this argument has been written, or begun. */
  has(key: string): boolean {
    return this.#keys.has(key);
  }

  /** Whether all required arguments are present. */
  get hasRequired(): boolean {
    const required = typeof this.#schema === 'object' ? this.#schema.required : undefined;
    return !Array.isArray(required) || required.every((key) => this.#keys.has(String(key)));
  }

  /** Begins a text argument; `text` writes it, and `endText` ends it. */
  beginText(key: string): void {
    this.#key(key);
    this.#write('"');
    this.#open = { key, text: '', pieces: [] };
  }

  /** Writes a piece of the text argument. Surrogate pairs stay together, however they are cut. */
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

  /** Ends the text argument. */
  endText(): void {
    this.#writeText(this.#half);
    this.#half = '';
    this.#write('"');
    this.#keepText();
  }

  /** Writes a complete argument, converted to fit the tool's schema if possible. */
  value(key: string, value: unknown): void {
    const wanted = coerce(value, this.#propertySchema(key), this.#schema);
    const json = JSON.stringify(wanted) ?? 'null';
    this.#key(key);
    this.#entries.push([key, JSON.parse(json)]);
    this.#write(json);
  }

  /** Ends the call: the arguments are complete. */
  finish(): void {
    if (this.#open !== undefined) this.endText();
    this.#write(this.#keys.size === 0 ? '{}' : '}');
    this.#end(Object.fromEntries(this.#entries), {});
  }

  /** Ends the call as incomplete: the reply ended inside the arguments. */
  cut(): void {
    this.#keepText();
    this.#end(Object.fromEntries(this.#entries), { incomplete: true });
  }

  /** Ends the call with arguments that are not an object: they are passed on as text, which fits no schema. */
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

  /** Adds the text argument, as far as it was written, to the arguments so far. */
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
