// Finds every regular expression of a source file: literals, calls of RegExp whose text is computed from constants, and texts that
// functions of String convert to one.
import { parse } from '@babel/parser';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const parsed = new Map();

function program(file) {
  if (!parsed.has(file)) {
    const plugins = ['typescript', 'decorators-legacy', ...(/[jt]sx$/.test(file) ? ['jsx'] : [])];
    parsed.set(file, parse(readFileSync(file, 'utf8'), { sourceType: 'module', plugins }).program);
  }
  return parsed.get(file);
}

const NO_NODES = new Set(['loc', 'extra', 'leadingComments', 'trailingComments', 'innerComments']);

function* nodesIn(node) {
  if (Array.isArray(node)) for (const each of node) yield* nodesIn(each);
  else if (typeof node === 'object' && node !== null) {
    if (typeof node.type === 'string') yield node;
    for (const key in node) if (!NO_NODES.has(key)) yield* nodesIn(node[key]);
  }
}

/** The constants of a module by name, with the source of imported ones. */
function constantsOf(file) {
  const constants = new Map();
  for (const statement of program(file).body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (statement.type === 'ImportDeclaration') {
      for (const { local, imported } of statement.specifiers) {
        constants.set(local.name, { from: statement.source.value, name: imported?.name });
      }
    } else if (declaration?.type === 'VariableDeclaration' && declaration.kind === 'const') {
      for (const { id, init } of declaration.declarations) if (id.name) constants.set(id.name, { init });
    }
  }
  return constants;
}

function constant(name, file) {
  const known = constantsOf(file).get(name);
  if (known?.init) return textOf(known.init, file);
  if (!known?.from?.startsWith('.')) return undefined;
  const path = resolve(dirname(file), known.from);
  const source = [path, path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx')].find((each) => existsSync(each));
  return source && constant(known.name, source);
}

/** The text value of an expression of the language; undefined if it is known only at run time. */
function textOf(node, file) {
  if (node === undefined) return '';
  if (node.type === 'StringLiteral') return node.value;
  if (node.type === 'RegExpLiteral') return node.pattern;
  if (node.type === 'Identifier') return constant(node.name, file);
  if (node.type === 'BinaryExpression' && node.operator === '+') {
    return joined([textOf(node.left, file), textOf(node.right, file)]);
  }
  if (node.type === 'TemplateLiteral') return template(node, 'cooked', file);
  const isRaw = node.type === 'TaggedTemplateExpression' && node.tag.property?.name === 'raw';
  return isRaw ? template(node.quasi, 'raw', file) : undefined;
}

function template({ quasis, expressions }, form, file) {
  return joined(
    quasis.flatMap(({ value }, at) => [
      value[form],
      ...expressions.slice(at, at + 1).map((each) => textOf(each, file)),
    ]),
  );
}

function joined(parts) {
  return parts.includes(undefined) ? undefined : parts.join('');
}

/** Built-in functions on text that take quadratic time: normalize and all collation. */
const QUADRATIC_CALLS = new Set(['normalize', 'localeCompare']);

const EXPRESSION_TAKERS = new Set(['match', 'matchAll', 'search']);
const TEXTS = new Set(['StringLiteral', 'TemplateLiteral', 'TaggedTemplateExpression', 'BinaryExpression']);

/**
 * The expressions of a file: `{line, code, source, flags}`; `source` is undefined if it is known only at run time. `calls`: uses of
 * built-in functions that take quadratic time themselves.
 */
export function expressionsIn(file) {
  const text = readFileSync(file, 'utf8');
  const expressions = [];
  const calls = [];
  for (const node of nodesIn(program(file))) {
    const found = { line: node.loc.start.line, code: text.slice(node.start, node.end) };
    if (node.type === 'RegExpLiteral') {
      expressions.push({ ...found, source: node.pattern, flags: node.flags });
    } else if (['NewExpression', 'CallExpression'].includes(node.type) && node.callee.name === 'RegExp') {
      const [source, flags] = [textOf(node.arguments[0], file), textOf(node.arguments[1], file)];
      expressions.push({ ...found, source: flags === undefined ? undefined : source, flags });
    } else if (node.type === 'CallExpression' && acceptsExpression(node)) {
      expressions.push({ ...found, source: textOf(node.arguments[0], file), flags: '' });
    } else if (node.type === 'CallExpression' && isQuadratic(node)) {
      calls.push(found);
    }
  }
  return { expressions, calls };
}

/** `text.match('a+')` and similar; names of constants are not resolved, because other classes have functions with these names. */
function acceptsExpression({ callee, arguments: [first] }) {
  return EXPRESSION_TAKERS.has(callee.property?.name) && TEXTS.has(first?.type);
}

/** `path.normalize(…)` is recognised by the name of the object; texts have other names. */
function isQuadratic({ callee }) {
  return QUADRATIC_CALLS.has(callee.property?.name) && !['path', 'posix'].includes(callee.object?.name);
}
