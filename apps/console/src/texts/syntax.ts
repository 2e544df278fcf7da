import { parse } from '@babel/parser';

/** A node of a syntax tree, as far as the tests of texts read it. */
export interface SyntaxNode {
  readonly type: string;
  readonly loc: { readonly start: { readonly line: number } };
  readonly [key: string]: unknown;
}

/** The syntax tree of a module of the console. */
export function parseSyntax(code: string): SyntaxNode {
  const program: unknown = parse(code, { sourceType: 'module', plugins: ['typescript', 'jsx'] }).program;
  if (!isNode(program)) throw new Error('the parser returned no program');
  return program;
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'loc' in value;
}

/** The node in a field; undefined if there is none. */
export function syntaxChild(node: SyntaxNode, field: string): SyntaxNode | undefined {
  const child = node[field];
  return isNode(child) ? child : undefined;
}

/** The text in a field of a child: the name of an identifier, the value of a literal. */
export function textIn(node: SyntaxNode | undefined, field: string): string {
  const text = node?.[field];
  return typeof text === 'string' ? text : '';
}

export function syntaxChildren(node: SyntaxNode): readonly SyntaxNode[] {
  return Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );
}
