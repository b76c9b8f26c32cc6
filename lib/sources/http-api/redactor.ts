import type { ContentBlock } from '#lib/tools/core/content.ts';

/** The text that replaces a secret. */
const REDACTED = '[secret]';

/**
 * The length from which a secret is also replaced in its encoded forms, in characters. The encoded forms of a shorter secret
 * occur in any text.
 */
const FORMS_MIN = 4;

/** The minimum length of a secret's base64 form that is searched for within longer base64, in characters. */
const BASE64_MIN = 8;

/**
 * Replaces secrets in what an API sends back: as they are, and as they are written in URLs, JSON, HTML, hexadecimal, and
 * base64, also within longer base64. If a secret is base64 itself, its decoded text is replaced, too.
 */
export class Redactor {
  /** All forms of all secrets, the longest first. */
  readonly #forms: readonly string[];

  constructor(secrets: Iterable<string>) {
    const forms = new Set([...secrets].flatMap((secret) => formsOf(secret.trim())));
    this.#forms = [...forms].filter((form) => form !== '').sort((one, other) => other.length - one.length);
  }

  /** Replaces the secrets in a text. */
  text(text: string): string {
    return this.#forms.reduce((left, form) => left.replaceAll(form, REDACTED), text);
  }

  /** Replaces the secrets in a text that was cut at its end, and removes what may be the beginning of one there. */
  cutText(text: string): string {
    const clean = this.text(text);
    const longest = this.#forms[0]?.length ?? 0;
    for (let length = Math.min(longest - 1, clean.length); length > 0; length--) {
      const end = clean.slice(-length);
      if (this.#forms.some((form) => form.startsWith(end))) return clean.slice(0, -length);
    }
    return clean;
  }

  /**
   * Replaces the secrets in a JSON value, also in names of properties. Calls itself, so the value must not be nested too
   * deeply.
   */
  value(value: unknown): unknown {
    if (this.#forms.length === 0) return value;
    if (typeof value === 'string') return this.text(value);
    if (typeof value === 'number') return this.#has(String(value)) ? REDACTED : value;
    if (Array.isArray(value)) return value.map((one) => this.value(one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [this.text(name), this.value(one)]));
  }

  /** Returns the image, or a note in its place if a secret is in its data. */
  image(block: Extract<ContentBlock, { type: 'image' }>): ContentBlock {
    return this.#has(block.data) ? { type: 'text', text: '[Image: left out, because a secret is in it]' } : block;
  }

  #has(text: string): boolean {
    return this.#forms.some((form) => text.includes(form));
  }
}

function formsOf(secret: string): string[] {
  if (secret.length < FORMS_MIN) return [secret];
  // The part after a scheme, such as Bearer, is the actual secret.
  const [, proper = ''] = /^\S+\s+(\S.*)$/.exec(secret) ?? [];
  const parts = [secret, proper].filter((part) => part.length >= FORMS_MIN);
  const all = [...parts, ...parts.flatMap(credentialsIn)];
  return all.flatMap((text) => [text, ...written(text), ...base64Forms(text)]);
}

/**
 * Returns the text that a secret in base64 decodes to, and the password in that text, which follows a colon; an empty list if
 * the secret is not base64 of printable text.
 */
function credentialsIn(secret: string): string[] {
  if (!/^[A-Za-z0-9+/_-]{8,}={0,2}$/.test(secret)) return [];
  try {
    const text = atob(secret.replaceAll('-', '+').replaceAll('_', '/'));
    if (!/^[\x20-\x7e]+$/.test(text)) return [];
    const password = text.slice(text.indexOf(':') + 1);
    return [text, password].filter((one) => one.length >= FORMS_MIN);
  } catch {
    // It is not base64, so it holds no credentials.
    return [];
  }
}

/**
 * Returns the forms in which a text is written in URLs, forms, JSON, HTML, and hexadecimal, and the text in lower and upper
 * case.
 */
function written(text: string): string[] {
  const url = encodeURIComponent(text);
  const strict = url.replaceAll(/[!'()*~]/g, (sign) => hexOf(sign, '%').toUpperCase());
  const json = JSON.stringify(text).slice(1, -1);
  const html = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
  const hex = hexOf(text);
  const urls = [url, strict].flatMap((one) => [one, one.replaceAll('%20', '+'), lowerHex(one), lowerHex(strict)]);
  return [
    ...[text.toLowerCase(), text.toUpperCase()],
    ...urls,
    ...[json, json.replaceAll('/', '\\/'), JSON.stringify(json).slice(1, -1)],
    ...[html, html.replaceAll("'", '&#39;'), html.replaceAll("'", '&#x27;')],
    ...[hex, hex.toUpperCase()],
  ];
}

const lowerHex = (url: string): string => url.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());

const hexOf = (text: string, before = ''): string =>
  Array.from(new TextEncoder().encode(text), (byte) => before + byte.toString(16).padStart(2, '0')).join('');

/** Returns the base64 forms of a text: by itself, and within a longer text, where it can begin at three different offsets. */
function base64Forms(text: string): string[] {
  const bytes = new TextEncoder().encode(text);
  const within = [0, 1, 2].flatMap((offset) => {
    const padded = toBase64([...new Uint8Array(offset), ...bytes]);
    // The first and the last signs also depend on what is next to the secret.
    const core = padded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    return core.length >= BASE64_MIN ? [core] : [];
  });
  const whole = toBase64([...bytes]);
  return [whole, whole.replace(/=+$/, ''), ...within].flatMap((one) => [
    one,
    one.replaceAll('+', '-').replaceAll('/', '_'),
  ]);
}

const toBase64 = (bytes: readonly number[]): string => btoa(String.fromCharCode(...bytes));
