import { syntaxChild, syntaxChildren, parseSyntax, textIn, type SyntaxNode } from './syntax.js';

/** A text that a module reads: its folder, and its names joined by dots; only the first of them if the others are computed. */
export interface UsedText {
  readonly folder: string;
  readonly key: string;
}

/** The texts that a module reads from what it imports of the catalogue. */
export function usedTexts(code: string): readonly UsedText[] {
  const program = parseSyntax(code);
  const folders = importedFolders(program);
  if (folders.size === 0) return [];
  const used: UsedText[] = [];
  visit(program, (name, key) => {
    const folder = folders.get(name);
    if (folder !== undefined) used.push({ folder, key });
  });
  return used;
}

/** Local names by the folder whose texts they are. */
function importedFolders(program: SyntaxNode): ReadonlyMap<string, string> {
  const folders = new Map<string, string>();
  for (const statement of syntaxChildren(program)) {
    const folder = /\/texts\/([\w-]+)\.js$/.exec(textIn(syntaxChild(statement, 'source'), 'value'))?.[1];
    if (statement.type !== 'ImportDeclaration' || folder === undefined) continue;
    for (const specifier of syntaxChildren(statement)) {
      if (textIn(syntaxChild(specifier, 'imported'), 'name') === 'texts')
        folders.set(textIn(syntaxChild(specifier, 'local'), 'name'), folder);
    }
  }
  return folders;
}

function visit(node: SyntaxNode, report: (name: string, key: string) => void): void {
  if (node.type === 'ImportDeclaration') return;
  const path = memberPath(node);
  if (path === undefined) {
    for (const child of syntaxChildren(node)) visit(child, report);
    return;
  }
  const [name = '', ...keys] = path.names;
  report(name, keys.join('.'));
  for (const computed of path.computed) visit(computed, report);
}

/** The names of `texts.verdicts.good`; those before the first computed one of `texts.verdicts[verdict]`. */
function memberPath(
  node: SyntaxNode,
): { readonly names: readonly string[]; readonly computed: readonly SyntaxNode[] } | undefined {
  if (node.type === 'Identifier') return { names: [textIn(node, 'name')], computed: [] };
  if (node.type !== 'MemberExpression') return undefined;
  const [object, property] = [syntaxChild(node, 'object'), syntaxChild(node, 'property')];
  const path = object && memberPath(object);
  if (path === undefined || property === undefined) return undefined;
  if (node['computed'] === true || path.computed.length > 0)
    return { names: path.names, computed: [...path.computed, ...nodesOf(node, property)] };
  return { names: [...path.names, textIn(property, 'name')], computed: [] };
}

function nodesOf(member: SyntaxNode, property: SyntaxNode): readonly SyntaxNode[] {
  return member['computed'] === true ? [property] : [];
}
