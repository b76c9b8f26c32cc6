import { Parser } from 'htmlparser2';
import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';
import { UnreadableDocument } from '#lib/tools/documents/unreadable-document.ts';
import type { PackedDocument } from '../zip/packed-document.ts';

/** The attributes of an XML element by name. The names have their prefixes, such as `w:val`. */
export type Attributes = Readonly<Record<string, string | undefined>>;

/**
 * Functions that are called for the elements and texts of an XML file. The names of elements come without their prefixes,
 * which each writer of such files chooses freely.
 */
export interface XmlHandlers {
  open?(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
  /** Returns true if the rest of the file is not needed. Called after each piece of the file. */
  isDone?(): boolean;
}

/**
 * Reads the XML file `name` of a packed document piece by piece, and calls the handlers. Loads nothing from outside. Throws
 * `UnreadableDocument` if the file cannot be unpacked, declares entities, or is nested too deeply.
 */
export function readXml(packed: PackedDocument, name: string, handlers: XmlHandlers): void {
  let decoder: TextDecoder | undefined;
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        if (++depth > DOCUMENT_LIMITS.depth)
          throw new UnreadableDocument('too-complex', 'The document is nested too deeply to be read.');
        handlers.open?.(localName(tag), attributes);
      },
      ontext: (text) => handlers.text?.(text),
      onclosetag(tag) {
        depth--;
        handlers.close?.(localName(tag));
      },
      onprocessinginstruction(_, data) {
        if (/^!DOCTYPE\b[^>]*\[|^!ENTITY/i.test(data))
          throw new UnreadableDocument(
            'too-complex',
            'The document declares XML entities, which documents do not need, so it is not read.',
          );
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  packed.unpack(name, (piece) => {
    decoder ??= new TextDecoder(encodingOf(piece));
    parser.write(decoder.decode(piece, { stream: true }));
    return handlers.isDone?.() !== true;
  });
  parser.end();
}

const encodingOf = ([first, second]: Uint8Array): string =>
  first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';

/** The name of an element or attribute without its prefix. */
export const localName = (tag: string): string => tag.slice(tag.indexOf(':') + 1);
