import { type ClassDeclaration, type FunctionDeclaration, type Pattern, type Program, parse } from 'acorn';
import { recursive } from 'acorn-walk';
import MagicString from 'magic-string';
import { messageOf } from '#lib/base/message-of.ts';

/** Code compiled to run as one of many evaluations (runs of code) in a sandbox session. Line numbers are unchanged. */
export interface CompiledCode {
  /** The compiled code, for an indirect eval. The value of the eval may be a promise. */
  code: string;
  /** The names of its top-level `let`, `const` and `class` declarations: bindings that must exist before it runs. */
  lexical: readonly string[];
  /**
   * The names of global variables that must exist before it runs, because its `var` or function declarations have become
   * assignments to them.
   */
  variables: readonly string[];
}

/** The reason why code cannot be compiled: a syntax error, or code that is nested too deeply or takes too long to parse. */
export interface CodeProblem {
  message: string;
  /** From 1, like `column`. */
  line: number;
  column: number;
}

/** The variable in compiled code that holds the value of the latest statement. Nobody's code should use this name. */
const VALUE = '$roundtrip_value';
/** The variable of a `let` statement around assignments, which has no completion value. Nobody's code should use this name. */
const EMPTY = '$roundtrip_empty';
/** The parameter of the wrapping function that has the setters of global functions. Nobody's code should use this name. */
const EXPORT = '$roundtrip_export';

const OPTIONS = {
  ecmaVersion: 'latest',
  sourceType: 'script',
  allowAwaitOutsideFunction: true,
  allowReturnOutsideFunction: true,
  allowHashBang: true,
} as const;

/**
 * Compiles the code of one of a session's evaluations (runs of code); returns a `problem` if it is not valid. Its top-level
 * declarations stay available for later evaluations, and may be redeclared: `let`, `const` and `class` become assignments to
 * global bindings, which must be created before the code runs. `declared`: the names of such bindings of earlier evaluations.
 *
 * If possible, the rest of the code is left unchanged, so that the engine itself provides the completion value. With
 * top-level await or return, in strict mode, and if a function has the name of such a binding, the code becomes an async
 * function that tracks the value of each statement. Line breaks are preserved, so that line numbers in errors match the
 * source.
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

  /**
   * Replaces a declaration by assignments to its variables, within a statement that has no completion value, since a
   * declaration has none.
   */
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

  /**
   * Puts parentheses around the assignment to a pattern if it is an object pattern, as the syntax demands. `end`: the end of
   * the assignment.
   */
  #enclosePattern(pattern: Pattern, end: number): void {
    if (pattern.type !== 'ObjectPattern') return;
    this.#text.appendLeft(pattern.start, '(');
    this.#text.appendLeft(end, ')');
  }

  #assignClass(node: ClassDeclaration): void {
    this.#text.appendLeft(node.start, `{let ${EMPTY}=(${node.id.name}=`);
    this.#text.appendRight(node.end, ');}');
  }

  /**
   * Keeps `var` declarations outside of functions if possible. One of a name in `#declared` becomes an assignment; if
   * `isAsync`, all do, because the code is then inside a function.
   */
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

  /**
   * Wraps everything in an async function that returns the value of the last statement that has one. `functions`: the names
   * of the top-level functions, which it makes global.
   */
  #wrap(functions: readonly string[]): void {
    const text = this.#text;
    recursive(this.#program, undefined, {
      ...OWN_SCOPES,
      ExpressionStatement(node) {
        if ('directive' in node && node.directive !== undefined) return;
        // The comma prevents an anonymous function from being named after the variable.
        text.appendLeft(node.expression.start, `${VALUE}=(0,`);
        text.appendRight(node.expression.end, ')');
      },
    });
    const strict = isStrict(this.#program) ? '"use strict";' : '';
    const names = [...new Set(functions)];
    for (const name of names) if (!this.#declared.has(name)) this.#variables.add(name);
    // Functions are hoisted within the wrapping function, which therefore starts by exporting them.
    const exports = names.map((name, index) => `${EXPORT}[${index}](${name});`).join('');
    const setters = names.map((name) => `(${EXPORT})=>{${name}=${EXPORT}}`).join(',');
    if (text.original.startsWith('#!')) text.prepend('//');
    text.prepend(`(async(${EXPORT})=>{${strict}let ${VALUE};${exports}`);
    text.append(`\nreturn ${VALUE}})([${setters}])`);
  }
}

type VariableDeclaration = Extract<Program['body'][number], { type: 'VariableDeclaration' }>;

/** Visitors that skip functions and classes, because statements in these do not belong to the top level. */
const OWN_SCOPES = {
  Function: () => undefined,
  Class: () => undefined,
};

/**
 * Parses code. A lone `{…}` is treated as an object if possible, not as a block with labels; the returned source then has
 * parentheses around it. Throws `SyntaxError`.
 */
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

/**
 * Checks whether a program must become a function: with top-level await or return, or in strict mode, where eval has
 * its own scope.
 */
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

/** Returns only the line breaks of text that is being replaced, so that later lines keep their numbers. */
const breaksIn = (text: string): string => text.replace(/[^\n]/g, '');

function problemOf(error: unknown): CodeProblem {
  if (error instanceof SyntaxError && 'loc' in error) {
    const { line, column } = error.loc as { line: number; column: number };
    return { message: error.message.replace(/ \(\d+:\d+\)$/, ''), line, column: column + 1 };
  }
  // Nested too deeply to parse.
  return { message: messageOf(error), line: 1, column: 1 };
}
