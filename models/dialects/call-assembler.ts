import { generateId } from 'ai';
import { CallArguments } from './call-arguments.ts';
import { type Fields, fieldsOf, listOf, numberOf, textOf } from './fields.ts';
import { CALLS_MAX, NAME_MAX_CHARACTERS } from './limits.ts';

/** A piece of a call as every client of OpenAI's chat completions reads it. */
export interface CallDelta {
  /** The index of the call, unique in the reply. */
  index: number;
  /** The call's id, in its first piece only. */
  id?: string;
  type?: 'function';
  function: { name?: string; arguments: string };
  /** A signature that Google's compatible endpoint wants back. */
  extra_content?: { google: { thought_signature: string } };
}

interface Call {
  readonly index: number;
  /** The server's index for the call; undefined if it has sent none. */
  theirIndex: number | undefined;
  /** The server's id for the call; empty if it has sent none. */
  theirId: string;
  name: string;
  readonly arguments: CallArguments;
  /** The text of arguments that has not been passed on. */
  waiting: string;
  isAnnounced: boolean;
  signature: string;
}

interface Piece {
  id: string;
  index: number | undefined;
  name: string;
  args: string;
  /** The place of the piece in a list of several; undefined if it came alone. */
  position: number | undefined;
  signature: string;
}

/** The fields in which servers put a call's arguments. */
const ARGUMENTS = ['arguments', 'parameters', 'args', 'input'] as const;

/** The name of a call that its server never named. No tool has it, so the model is told which tools there are. */
const NAMELESS = 'unnamed';

/**
 * Puts the pieces of calls in one reply together: by id, index, order, and by whether a call's arguments are complete. Takes
 * them in all the forms that servers send, and passes them on in one form, piece by piece.
 */
export class CallAssembler {
  readonly #calls: Call[] = [];
  #details: { signature(): string } | undefined;

  /** True if there is a call. */
  get hasCalls(): boolean {
    return this.#calls.length > 0;
  }

  /** The number of characters that wait to be passed on. */
  get heldLength(): number {
    return this.#calls.reduce((sum, call) => sum + call.waiting.length + call.arguments.heldLength, 0);
  }

  /** True if all calls are complete. */
  get areWhole(): boolean {
    return this.#calls.every((call) => call.arguments.isWhole);
  }

  /**
   * Takes a list of pieces, or a single one, and returns the pieces that can be passed on. `details`: OpenRouter's details
   * about the thoughts that led to the calls, whose signature goes with the first call.
   */
  take(pieces: unknown, details?: { signature(): string }): CallDelta[] {
    this.#details = details;
    const list = listOf(pieces)
      .map(fieldsOf)
      .filter((piece) => Object.keys(piece).length > 0);
    return list.flatMap((piece, position) => this.#takeOne(read(piece, list.length > 1 ? position : undefined)));
  }

  /** Ends the reply, and returns the pieces that were held back. */
  end(): CallDelta[] {
    return this.#calls.flatMap((call) => {
      call.name ||= NAMELESS;
      call.waiting += call.arguments.end();
      return this.#pass(call);
    });
  }

  #takeOne(piece: Piece): CallDelta[] {
    const found = this.#find(piece);
    if (found === undefined && this.#calls.length === CALLS_MAX) return [];
    const call = found ?? this.#begin();
    const { id, index, name, args, signature } = piece;
    call.theirId ||= id;
    call.theirIndex ??= index;
    call.signature ||= signature;
    // A name may come in pieces.
    if (!call.isAnnounced && name !== '') call.name = name.startsWith(call.name) ? name : call.name + name;
    call.waiting += call.arguments.take(args);
    // The calls before it have their whole names now.
    const before = found === undefined ? this.#calls.slice(0, -1).filter((one) => !one.isAnnounced) : [];
    return [...before, ...(call.waiting === '' ? [] : [call])].flatMap((one) => this.#pass(one));
  }

  /** Finds the call that a piece belongs to; undefined if it begins a new one. */
  #find(piece: Piece): Call | undefined {
    const { name, args } = piece;
    const found = this.#findNamed(piece);
    const last = this.#calls.at(-1);
    // Nothing goes on behind its end, whatever its index.
    const isOver =
      found?.arguments.isWhole === true && name === '' && !found.arguments.repeats(args) && args.trim() !== '';
    return isOver && last?.arguments.isWhole === false ? last : found;
  }

  /** Finds the call that a piece names by id or index, or by its order; undefined if it begins a new one. */
  #findNamed(piece: Piece): Call | undefined {
    const { id, index, name, args, position } = piece;
    const last = this.#calls.at(-1);
    const byId = id === '' ? undefined : this.#calls.findLast(({ theirId }) => theirId === id);
    // The same id and the same index mean the same call, whatever the piece says.
    if (byId !== undefined && index !== undefined && byId.theirIndex === index) return byId;
    if (byId !== undefined && (index === undefined || byId.theirIndex === undefined))
      return begins(byId, piece) ? undefined : byId;
    const byIndex = index === undefined ? undefined : this.#calls.findLast((call) => call.theirIndex === index);
    if (byIndex !== undefined) {
      // Some servers give all calls one index, others each piece an id of its own.
      const isOther = id !== '' && byIndex.theirId !== '' && name !== '';
      return isOther || begins(byIndex, piece) ? undefined : byIndex;
    }
    // A piece without a name goes on with a call that is not complete, unless it is for one that has not been named yet.
    if (name === '' && last !== undefined && position === undefined)
      return last.arguments.isWhole && args.trim() !== '' ? undefined : last;
    if (index !== undefined || id !== '') return undefined;
    if (name === '' && position !== undefined) return this.#calls[position] ?? last;
    const isNext = last === undefined || begins(last, piece) || (name !== '' && name !== last.name && last.name !== '');
    return isNext || (position !== undefined && last.arguments.isWhole) ? undefined : last;
  }

  #begin(): Call {
    const call: Call = {
      index: this.#calls.length,
      theirIndex: undefined,
      theirId: '',
      name: '',
      arguments: new CallArguments(),
      waiting: '',
      isAnnounced: false,
      signature: '',
    };
    this.#calls.push(call);
    return call;
  }

  #pass(call: Call): CallDelta[] {
    const { index, name, waiting, signature, theirId } = call;
    if (name === '' || (call.isAnnounced && waiting === '')) return [];
    call.waiting = '';
    if (call.isAnnounced) return [{ index, function: { arguments: waiting } }];
    call.isAnnounced = true;
    const isUsed = this.#calls.some((other) => other.index < index && other.theirId === theirId);
    const id = theirId === '' || isUsed ? `call_${generateId()}` : theirId;
    const signed = signature || (index === 0 ? (this.#details?.signature() ?? '') : '');
    const more = signed !== '' && { extra_content: { google: { thought_signature: signed } } };
    return [{ index, id, type: 'function', function: { name, arguments: waiting }, ...more }];
  }
}

/** Reads a piece in any of the forms that servers send. */
function read(piece: Fields, position: number | undefined): Piece {
  const called: Fields = { ...piece, ...fieldsOf(piece.function) };
  const given = ARGUMENTS.map((field) => called[field]).find((value) => value !== undefined && value !== null);
  return {
    id: textOf(piece.id) || textOf(piece.tool_call_id) || textOf(piece.call_id),
    index: numberOf(piece.index),
    name: textOf(called.name).slice(0, NAME_MAX_CHARACTERS).trim(),
    args: typeof given === 'string' ? given : given === undefined ? '' : JSON.stringify(given),
    position,
    signature: textOf(fieldsOf(fieldsOf(piece.extra_content).google).thought_signature),
  };
}

/** Checks whether a piece begins a new call, although its id, index, or order is that of `call`. */
function begins(call: Call, { name, args }: Piece): boolean {
  if (name === '' || call.name === '') return false;
  if (call.arguments.isWhole) return name !== call.name || (args !== '' && !call.arguments.repeats(args));
  return name !== call.name && args !== '' && !name.startsWith(call.name);
}
