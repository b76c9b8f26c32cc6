import type { ProtocolCodec } from '../codec.ts';
import { delimitedCodec } from './delimited.ts';
import { jsonCodec } from './json.ts';
import { objectCodec } from './object.ts';
import { rawCodec } from './raw.ts';
import { xmlCodec } from './xml.ts';

/** All codecs. A new one is a file and an entry here. */
const CODECS: readonly ProtocolCodec[] = [jsonCodec, objectCodec, rawCodec, xmlCodec, delimitedCodec];

const byId = new Map(CODECS.map((codec) => [codec.id, codec]));

/** The ids of all codecs (formats of calls in text), as a model's configuration names them. */
export const CODEC_IDS: readonly string[] = [...byId.keys()];

/** Thrown for an id that no codec (a format of calls in text) has; the message lists the ids that exist. */
export class UnknownCodecError extends Error {
  override readonly name = 'UnknownCodecError';

  constructor(id: string) {
    super(`There is no codec ${JSON.stringify(id)}. Use one of these: ${CODEC_IDS.join(', ')}.`);
  }
}

/** Returns the codec (a format of calls in text) with this id; undefined if there is none. */
export const findCodec = (id: string): ProtocolCodec | undefined => byId.get(id);

/** Returns the codec (a format of calls in text) with this id. Throws `UnknownCodecError` if there is none. */
export function codecOf(id: string): ProtocolCodec {
  const codec = findCodec(id);
  if (codec === undefined) throw new UnknownCodecError(id);
  return codec;
}
