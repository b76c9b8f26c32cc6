import jsTokens from 'js-tokens';

/** An import or re-export of another module. */
export interface ModuleImport {
  specifier: string;
  /** Where the specifier’s literal begins in the text, in UTF-16 code units. */
  offset: number;
  /** The names that are imported; empty if there are none. */
  bindings: readonly Binding[];
}

interface Binding {
  /** The name by which the other module exports it: a name, `default`, or `*` for everything. */
  name: string;
  /** The local name; undefined for a re-export. */
  local: string | undefined;
}

interface Token {
  type: string;
  value: string;
  offset: number;
  /** The number of brackets that are open around it. */
  depth: number;
}

/**
 * The imports and re-exports of a module in TypeScript or JavaScript, also those by `import()`, in the order of the text.
 * `jsx`: whether the text may contain JSX. Never throws.
 */
export function importsOf(text: string, { jsx }: { jsx: boolean }): ModuleImport[] {
  const tokens = tokenize(text, jsx);
  const imports: ModuleImport[] = [];
  for (const [index, { type, value, depth }] of tokens.entries()) {
    if (type !== 'IdentifierName' || (value !== 'import' && value !== 'export')) continue;
    if (tokens[index - 1]?.value === '.') continue;
    const reader = new Reader(tokens, index + 1);
    const found = value === 'export' ? readExport(reader) : readImport(reader, depth);
    if (found !== undefined && (depth === 0 || found.isExpression)) imports.push(found.import);
  }
  return imports;
}

function tokenize(text: string, jsx: boolean): Token[] {
  const tokens: Token[] = [];
  let offset = 0;
  let depth = 0;
  for (const { type, value } of jsx ? jsTokens(text, { jsx }) : jsTokens(text)) {
    const isBracket = type === 'Punctuator' || type === 'JSXPunctuator';
    if (type === 'TemplateTail' || (isBracket && /^[)\]}]$/.test(value))) depth--;
    if (!TRIVIA.has(type)) tokens.push({ type, value, offset, depth });
    if (type === 'TemplateHead' || (isBracket && /^[([{]$/.test(value))) depth++;
    offset += value.length;
  }
  return tokens;
}

const TRIVIA = new Set(['WhiteSpace', 'LineTerminatorSequence', 'MultiLineComment', 'SingleLineComment']);

class Reader {
  readonly #tokens: readonly Token[];
  #at: number;

  constructor(tokens: readonly Token[], at: number) {
    this.#tokens = tokens;
    this.#at = at;
  }

  peek(ahead = 0): Token | undefined {
    return this.#tokens[this.#at + ahead];
  }

  next(): Token | undefined {
    return this.#tokens[this.#at++];
  }

  take(value: string): boolean {
    if (this.peek()?.value !== value) return false;
    this.#at++;
    return true;
  }

  name(): string | undefined {
    return this.peek()?.type === 'IdentifierName' ? this.next()?.value : undefined;
  }

  /** Skips the `type` modifier, unless `type` is itself the name of the import. */
  takeType(): void {
    const [after, behind] = [this.peek(1), this.peek(2)];
    const isModifier =
      after?.value === '{' ||
      after?.value === '*' ||
      (after?.type === 'IdentifierName' && !(after.value === 'from' && behind?.type === 'StringLiteral'));
    if (isModifier) this.take('type');
  }

  specifier(): Pick<ModuleImport, 'specifier' | 'offset'> | undefined {
    const token = this.peek();
    if (token?.type !== 'StringLiteral') return undefined;
    this.#at++;
    return { specifier: token.value.slice(1, -1), offset: token.offset };
  }

  /** Reads the names between braces, including the closing brace. */
  names(): Binding[] {
    const bindings: Binding[] = [];
    while (!this.take('}')) {
      const isType = this.peek()?.value === 'type' && !['as', ',', '}'].includes(this.peek(1)?.value ?? '');
      if (isType) this.next();
      const token = this.next();
      if (token === undefined) break;
      const name = token.type === 'StringLiteral' ? token.value.slice(1, -1) : token.value;
      const local = this.take('as') ? this.next()?.value : name;
      bindings.push({ name, local });
      this.take(',');
    }
    return bindings;
  }
}

interface Found {
  import: ModuleImport;
  /** Whether it is an expression, which may appear anywhere and not just at the start of a statement. */
  isExpression?: true;
}

function readImport(reader: Reader, depth: number): Found | undefined {
  if (reader.take('(')) {
    const specifier = reader.specifier();
    if (specifier === undefined) return undefined;
    // import('x').Name, a type
    const name = reader.take(')') && reader.take('.') ? reader.name() : undefined;
    const bindings = name === undefined || name === 'then' ? [] : [{ name, local: undefined }];
    return { import: { ...specifier, bindings }, isExpression: true };
  }
  if (depth > 0) return undefined;
  const alone = reader.specifier();
  if (alone !== undefined) return { import: { ...alone, bindings: [] } };
  reader.takeType();
  const bindings: Binding[] = [];
  const local = reader.name();
  if (local !== undefined && reader.take('=')) {
    if (reader.name() !== 'require' || !reader.take('(')) return undefined;
    return withSpecifier(reader, [{ name: '*', local }]);
  }
  if (local !== undefined) bindings.push({ name: 'default', local });
  reader.take(',');
  if (reader.take('*')) {
    if (!reader.take('as')) return undefined;
    bindings.push({ name: '*', local: reader.name() });
  } else if (reader.take('{')) bindings.push(...reader.names());
  return reader.take('from') ? withSpecifier(reader, bindings) : undefined;
}

function readExport(reader: Reader): Found | undefined {
  reader.takeType();
  if (reader.take('*')) {
    if (reader.take('as')) reader.next();
    return reader.take('from') ? withSpecifier(reader, []) : undefined;
  }
  if (!reader.take('{')) return undefined;
  const bindings = reader.names().map(({ name }) => ({ name, local: undefined }));
  return reader.take('from') ? withSpecifier(reader, bindings) : undefined;
}

function withSpecifier(reader: Reader, bindings: Binding[]): Found | undefined {
  const specifier = reader.specifier();
  return specifier && { import: { ...specifier, bindings } };
}
