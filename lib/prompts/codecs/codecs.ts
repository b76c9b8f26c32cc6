import type { CodecId, ProtocolCodec } from '../codec.ts';
import { delimitedCodec } from './delimited.ts';
import { jsonCodec } from './json.ts';
import { rawCodec } from './raw.ts';
import { xmlCodec } from './xml.ts';

/** The codecs, by their names in a model's configuration. */
export const CODECS: Readonly<Record<CodecId, ProtocolCodec>> = {
  json: jsonCodec,
  raw: rawCodec,
  xml: xmlCodec,
  delimited: delimitedCodec,
};
