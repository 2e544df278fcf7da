import { syntaxChild, syntaxChildren, isNode, parseSyntax, textIn, type SyntaxNode } from './syntax.js';

/** A text that is written in the code of a view and not in the catalogue. */
export interface WrittenText {
  readonly line: number;
  readonly text: string;
}

/** Attributes and properties with texts for people. */
const TEXT_FIELDS = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-placeholder',
  'aria-roledescription',
  'aria-valuetext',
  'confirm',
  'data-label',
  'description',
  'heading',
  'hint',
  'label',
  'placeholder',
  'retryLabel',
  'title',
  'words',
]);
/** Where a text is a name of the program and not shown. */
const NOT_SHOWN = new Set([
  'ImportDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'ThrowStatement',
  'TSTypeAnnotation',
  'TSTypeAliasDeclaration',
  'TSInterfaceDeclaration',
  'TSTypeParameterInstantiation',
  'TSTypeParameterDeclaration',
  'TSTypeReference',
  'TSUnionType',
  'TSTypeQuery',
  'RegExpLiteral',
]);
const COMPARISONS = new Set(['===', '!==', 'in', 'instanceof', '<', '>', '<=', '>=']);
/** On the line of a text that is not for people, or on the first line of a module without any; followed by the reason. */
const EXEMPTION = /\/[/*] not shown: /;
/** Elements with what a person enters or presses. */
const VERBATIM = new Set(['code', 'kbd', 'pre']);
/** The name of the product is the same in all languages. */
const UNTRANSLATED = new Set(['Ringdown']);

/** The texts for people in the code of a module. */
export function writtenTexts(code: string): readonly WrittenText[] {
  const lines = code.split('\n');
  if (EXEMPTION.test(lines[0] ?? '')) return [];
  const found: WrittenText[] = [];
  visit(parseSyntax(code), false, (node, text) => {
    const { line } = node.loc.start;
    if (!UNTRANSLATED.has(text) && !EXEMPTION.test(lines[line - 1] ?? '')) found.push({ line, text });
  });
  return found;
}

type Report = (node: SyntaxNode, text: string) => void;

/** @param isShown - whether the value of the node is rendered, or has a name like that of a label */
function visit(node: SyntaxNode, isShown: boolean, report: Report): void {
  if (NOT_SHOWN.has(node.type)) return;
  const text = literalText(node);
  if (text !== undefined && (isShown || node.type === 'JSXText' ? hasWord(text) : isProse(text))) report(node, text);
  const children = CHILDREN[node.type]?.(node, isShown) ?? syntaxChildren(node).map((child) => [child, false] as const);
  for (const [child, shown] of children) visit(child, shown, report);
}

/** The text of a literal, with `{}` for the values of a template; undefined for other nodes. */
function literalText(node: SyntaxNode): string | undefined {
  if (node.type === 'JSXText') return textIn(node, 'value').trim();
  if (node.type === 'StringLiteral') return textIn(node, 'value');
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node['quasis'])) return undefined;
  return node['quasis'].map((quasi: { value: { cooked: string } }) => quasi.value.cooked).join('{}');
}

type Children = readonly (readonly [node: SyntaxNode, isShown: boolean])[];

/** The children of a node, and whether the value of each is shown; of other nodes, no value is. */
const CHILDREN: Readonly<Record<string, (node: SyntaxNode, isShown: boolean) => Children>> = {
  JSXElement: elementChildren,
  JSXFragment: elementChildren,
  JSXAttribute: attributeChildren,
  JSXExpressionContainer: inside,
  TSAsExpression: inside,
  TSSatisfiesExpression: inside,
  TSNonNullExpression: inside,
  ArrayExpression: (node, isShown) => syntaxChildren(node).map((child) => [child, isShown]),
  ObjectProperty: (node, isShown) => fields(node, ['value'], isTextField(syntaxChild(node, 'key')) || isShown),
  ConditionalExpression: (node, isShown) => [
    ...fields(node, ['test'], false),
    ...fields(node, ['consequent', 'alternate'], isShown),
  ],
  LogicalExpression: (node, isShown) => [
    ...fields(node, ['left'], isShown && node['operator'] !== '&&'),
    ...fields(node, ['right'], isShown),
  ],
  BinaryExpression: (node, isShown) =>
    COMPARISONS.has(textIn(node, 'operator')) ? [] : fields(node, ['left', 'right'], isShown),
  SwitchCase: (node) => without(node, 'test'),
};

function without(node: SyntaxNode, field: string): Children {
  return syntaxChildren(node)
    .filter((child) => child !== node[field])
    .map((child) => [child, false]);
}

function inside(node: SyntaxNode, isShown: boolean): Children {
  return fields(node, ['expression'], isShown);
}

function elementChildren(node: SyntaxNode): Children {
  const opening = syntaxChild(node, 'openingElement');
  const name = opening && textIn(syntaxChild(opening, 'name'), 'name');
  if (name !== undefined && VERBATIM.has(name)) return [];
  return syntaxChildren(node).map((child) => [child, child.type === 'JSXExpressionContainer']);
}

function attributeChildren(node: SyntaxNode): Children {
  const value = syntaxChild(node, 'value');
  if (value === undefined) return [];
  const isText = isTextField(syntaxChild(node, 'name'));
  return value.type === 'StringLiteral' && !isText ? [] : [[value, isText]];
}

function isTextField(name: SyntaxNode | undefined): boolean {
  return TEXT_FIELDS.has(textIn(name, 'name') || textIn(name, 'value'));
}

function fields(node: SyntaxNode, names: readonly string[], isShown: boolean): Children {
  return names.flatMap((name) => {
    const child = node[name];
    return isNode(child) ? [[child, isShown] as const] : [];
  });
}

function hasWord(text: string): boolean {
  return /\p{L}{2}/u.test(text);
}

/** Whether a text reads like one for people: several words, or one with a capital letter as at the start of a sentence. */
function isProse(text: string): boolean {
  return /\p{L} (?:\{\} )?\p{L}|^\p{Lu}\p{Ll}+[.:!?…]?$/u.test(text) || /^\p{Lu}\p{Ll}+ .*\{\}/u.test(text);
}
