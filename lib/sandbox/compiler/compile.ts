import { type ClassDeclaration, type FunctionDeclaration, type Pattern, type Program, parse } from 'acorn';
import { recursive } from 'acorn-walk';
import MagicString from 'magic-string';

/** Code made ready to be one of many in a session: its lines are where they were. */
export interface CompiledCode {
  /** For an indirect eval, whose value may be a promise. */
  code: string;
  /** What it declares with `let`, `const` and `class` at the top: bindings that must be there before it runs. */
  lexical: readonly string[];
  /** Global variables that must be there before it runs. */
  variables: readonly string[];
}

/** What JavaScript says of code that it cannot read. */
export interface CodeProblem {
  message: string;
  /** From 1. */
  line: number;
  column: number;
}

/** Not to be met in anybody's code. */
const VALUE = '$roundtrip_value';
const EMPTY = '$roundtrip_empty';
const EXPORT = '$roundtrip_export';

const OPTIONS = {
  ecmaVersion: 'latest',
  sourceType: 'script',
  allowAwaitOutsideFunction: true,
  allowReturnOutsideFunction: true,
  allowHashBang: true,
} as const;

/**
 * Compiles one of a session's evaluations. What it declares at the top stays there for those to come, and may be
 * declared again: `let`, `const` and `class` become assignments to global bindings, which are made before it runs.
 * `declared` are those of the evaluations before.
 *
 * Where it can be, the rest is left as it is, so that the engine itself gives the completion value. With await or return
 * at the top, in strict mode, and where a function takes the place of such a binding, it becomes an async function that
 * keeps the value of each statement. Line breaks stay, so that lines of errors are those of the source.
 */
export function compile(source: string, declared: ReadonlySet<string>): CompiledCode | { problem: CodeProblem } {
  try {
    return new Compilation(source, declared).run();
  } catch (error) {
    return { problem: problemOf(error) };
  }
}

class Compilation {
  readonly #source: string;
  readonly #program: Program;
  readonly #text: MagicString;
  readonly #lexical: ReadonlySet<string>;
  readonly #declared: ReadonlySet<string>;
  readonly #variables = new Set<string>();

  constructor(source: string, declared: ReadonlySet<string>) {
    const { source: text, program } = read(source);
    this.#source = text;
    this.#program = program;
    this.#text = new MagicString(this.#source);
    this.#lexical = new Set(this.#program.body.flatMap(lexicalNames));
    this.#declared = new Set([...declared, ...this.#lexical]);
  }

  run(): CompiledCode {
    const functions = this.#program.body.filter((node) => node.type === 'FunctionDeclaration');
    const isAsync =
      needsFunction(this.#program) ||
      functions.some((node) => this.#declared.has((node as FunctionDeclaration).id.name));
    for (const node of this.#program.body) {
      if (node.type === 'VariableDeclaration' && node.kind !== 'var') this.#assign(node);
      else if (node.type === 'ClassDeclaration') this.#assignClass(node as ClassDeclaration);
    }
    this.#compileVariables(isAsync);
    if (isAsync) this.#wrap(functions.map((node) => (node as FunctionDeclaration).id.name));
    return { code: this.#text.toString(), lexical: [...this.#lexical], variables: [...this.#variables] };
  }

  /** Declarations become assignments, in a statement that has no value, as declarations have none. */
  #assign(node: VariableDeclaration): void {
    const text = this.#text;
    const [first] = node.declarations;
    const last = node.declarations.at(-1);
    if (first === undefined || last === undefined) return;
    text.overwrite(node.start, first.start, `{let ${EMPTY}=(${breaksIn(this.#source.slice(node.start, first.start))}`);
    if (node.end > last.end) text.overwrite(last.end, node.end, breaksIn(this.#source.slice(last.end, node.end)));
    for (const { id, init, end } of node.declarations) {
      if (init == null) text.appendLeft(end, node.kind === 'var' ? '' : '=void 0');
      else this.#enclosePattern(id, end);
    }
    text.appendLeft(node.end, ');}');
  }

  /** A pattern that is assigned to must be within parentheses with its value. */
  #enclosePattern(pattern: Pattern, end: number): void {
    if (pattern.type !== 'ObjectPattern') return;
    this.#text.appendLeft(pattern.start, '(');
    this.#text.appendLeft(end, ')');
  }

  #assignClass(node: ClassDeclaration): void {
    this.#text.appendLeft(node.start, `{let ${EMPTY}=(${node.id.name}=`);
    this.#text.appendRight(node.end, ');}');
  }

  /** `var` stays where it can. Where a binding of that name is there already, or in a function, it becomes an assignment. */
  #compileVariables(isAsync: boolean): void {
    const visit = (node: VariableDeclaration, head: 'statement' | 'for' | 'for-in') => {
      const names = node.declarations.flatMap(({ id }) => boundNames(id));
      if (!isAsync && !names.some((name) => this.#declared.has(name))) return;
      for (const name of names) if (!this.#declared.has(name)) this.#variables.add(name);
      if (head === 'statement') this.#assign(node);
      else this.#assignInHead(node, head);
    };
    recursive(this.#program, undefined, {
      ...OWN_SCOPES,
      VariableDeclaration(node, state, walk) {
        if (node.kind === 'var') visit(node, 'statement');
        for (const { init } of node.declarations) if (init != null) walk(init, state);
      },
      ForStatement(node, state, walk) {
        if (node.init?.type === 'VariableDeclaration' && node.init.kind === 'var') visit(node.init, 'for');
        walk(node.body, state);
      },
      ForInStatement(node, state, walk) {
        if (node.left.type === 'VariableDeclaration' && node.left.kind === 'var') visit(node.left, 'for-in');
        walk(node.body, state);
      },
      ForOfStatement(node, state, walk) {
        if (node.left.type === 'VariableDeclaration' && node.left.kind === 'var') visit(node.left, 'for-in');
        walk(node.body, state);
      },
    });
  }

  #assignInHead(node: VariableDeclaration, head: 'for' | 'for-in'): void {
    const text = this.#text;
    const [first] = node.declarations;
    if (first === undefined) return;
    text.overwrite(node.start, first.start, breaksIn(this.#source.slice(node.start, first.start)));
    if (head === 'for-in') return;
    for (const { id, end } of node.declarations) this.#enclosePattern(id, end);
  }

  /** All of it as an async function, which gives the value of the last statement that has one. */
  #wrap(functions: readonly string[]): void {
    const text = this.#text;
    recursive(this.#program, undefined, {
      ...OWN_SCOPES,
      ExpressionStatement(node) {
        if ('directive' in node && node.directive !== undefined) return;
        // The comma keeps a function without a name from getting this one.
        text.appendLeft(node.expression.start, `${VALUE}=(0,`);
        text.appendRight(node.expression.end, ')');
      },
    });
    const strict = isStrict(this.#program) ? '"use strict";' : '';
    const names = [...new Set(functions)];
    for (const name of names) if (!this.#declared.has(name)) this.#variables.add(name);
    // Functions are hoisted within the function that is around them now, so it begins with giving them to the outside.
    const exports = names.map((name, index) => `${EXPORT}[${index}](${name});`).join('');
    const setters = names.map((name) => `(${EXPORT})=>{${name}=${EXPORT}}`).join(',');
    if (text.original.startsWith('#!')) text.prepend('//');
    text.prepend(`(async(${EXPORT})=>{${strict}let ${VALUE};${exports}`);
    text.append(`\nreturn ${VALUE}})([${setters}])`);
  }
}

type VariableDeclaration = Extract<Program['body'][number], { type: 'VariableDeclaration' }>;

/** What has statements of its own, which are none of the program's. */
const OWN_SCOPES = {
  Function: () => undefined,
  Class: () => undefined,
};

/** An object alone is meant as one, not as a block with labels. */
function read(source: string): { source: string; program: Program } {
  const text = source.trim();
  const alone = `(${source}\n)`;
  try {
    if (text.startsWith('{') && text.endsWith('}')) return { source: alone, program: parse(alone, OPTIONS) };
  } catch {
    // It is a block.
  }
  return { source, program: parse(source, OPTIONS) };
}

/** Whether it must become a function: with await or return at the top, or in strict mode, where eval keeps all to itself. */
function needsFunction(program: Program): boolean {
  let needs = isStrict(program);
  const found = () => {
    needs = true;
  };
  recursive(program, undefined, {
    Function: () => undefined,
    PropertyDefinition: () => undefined,
    StaticBlock: () => undefined,
    AwaitExpression: found,
    ReturnStatement: found,
    ForOfStatement(node, state, walk) {
      if (node.await) found();
      walk(node.left, state);
      walk(node.right, state);
      walk(node.body, state);
    },
  });
  return needs;
}

function isStrict({ body }: Program): boolean {
  for (const node of body) {
    if (node.type !== 'ExpressionStatement' || !('directive' in node) || node.directive === undefined) return false;
    if (node.directive === 'use strict') return true;
  }
  return false;
}

function lexicalNames(node: Program['body'][number]): string[] {
  if (node.type === 'ClassDeclaration') return [(node as ClassDeclaration).id.name];
  if (node.type !== 'VariableDeclaration' || node.kind === 'var') return [];
  return node.declarations.flatMap(({ id }) => boundNames(id));
}

function boundNames(pattern: Pattern): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        boundNames(property.type === 'RestElement' ? property.argument : property.value),
      );
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element === null ? [] : boundNames(element)));
    case 'AssignmentPattern':
      return boundNames(pattern.left);
    case 'RestElement':
      return boundNames(pattern.argument);
    default:
      return [];
  }
}

/** The line breaks of a text that is replaced. */
const breaksIn = (text: string): string => text.replace(/[^\n]/g, '');

function problemOf(error: unknown): CodeProblem {
  if (error instanceof SyntaxError && 'loc' in error) {
    const { line, column } = error.loc as { line: number; column: number };
    return { message: error.message.replace(/ \(\d+:\d+\)$/, ''), line, column: column + 1 };
  }
  // Nested deeper than can be read.
  return { message: error instanceof Error ? error.message : String(error), line: 1, column: 1 };
}
