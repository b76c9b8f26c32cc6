import type { Expression, Node } from 'acorn';
import { WORKSPACE_TOOL_LIMITS } from './limits.ts';

/**
 * Thrown for code that is not plain data, such as a call or a variable. `at`: the place of that code, as an offset in the
 * source.
 */
export class NotPlainData extends Error {
  override readonly name = 'NotPlainData';
  readonly at: number;

  constructor({ start }: Pick<Node, 'start'>) {
    super('It has to be plain data: objects, lists, strings, numbers, true, false, and null.');
    this.at = start;
  }
}

/**
 * Returns the value of a parsed JavaScript expression that is plain data, such as an object or a list of texts, without running
 * any code. Throws `NotPlainData` for any other expression, and for one that is nested more than `depth` levels deep.
 */
export function literalOf(node: Expression, depth: number = WORKSPACE_TOOL_LIMITS.depth): unknown {
  if (depth === 0) throw new NotPlainData(node);
  switch (node.type) {
    case 'Literal':
      if (node.regex !== undefined || node.bigint !== undefined) throw new NotPlainData(node);
      return node.value;
    case 'TemplateLiteral':
      if (node.expressions.length > 0) throw new NotPlainData(node);
      return node.quasis[0]?.value.cooked;
    case 'UnaryExpression': {
      const value = literalOf(node.argument, depth - 1);
      if (node.operator !== '-' || typeof value !== 'number') throw new NotPlainData(node);
      return -value;
    }
    case 'BinaryExpression': {
      // Long texts are often written in parts.
      if (node.operator !== '+' || node.left.type === 'PrivateIdentifier') throw new NotPlainData(node);
      const [left, right] = [literalOf(node.left, depth - 1), literalOf(node.right, depth - 1)];
      if (typeof left !== 'string' || typeof right !== 'string') throw new NotPlainData(node);
      return left + right;
    }
    case 'ArrayExpression':
      return node.elements.map((element) => {
        if (element === null || element.type === 'SpreadElement') throw new NotPlainData(element ?? node);
        return literalOf(element, depth - 1);
      });
    case 'ObjectExpression':
      return Object.fromEntries(
        node.properties.map((property) => {
          if (property.type === 'SpreadElement' || property.computed || property.kind !== 'init' || property.method)
            throw new NotPlainData(property);
          const { key } = property;
          const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : undefined;
          if (name === undefined || property.shorthand) throw new NotPlainData(property);
          return [name, literalOf(property.value, depth - 1)];
        }),
      );
    default:
      throw new NotPlainData(node);
  }
}
