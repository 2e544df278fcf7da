// Finds what a module keeps from one call to the next in its own variables: sources are loaded once for a worker of the tests, and what
// one test file leaves there, another one finds (docs/adr/0114).
import { parse } from '@babel/parser';

const MUTATORS = new Set(
  'set add delete clear push pop shift unshift splice sort reverse fill copyWithin enterWith'.split(' '),
);
/** A reader of text sets it before each use. */
const PLACE_IN_TEXT = 'lastIndex';
/** What is kept by an object is gone with it. */
const WEAK = new Set(['WeakMap', 'WeakSet']);
/** Classes of the language whose instances only change by a call or an assignment, which is found by itself. */
const PLAIN = new Set(
  'Map Set RegExp URL Date Error Uint8Array Uint32Array Float64Array TextDecoder TextEncoder Script Promise Array'.split(
    ' ',
  ),
);

const NO_NODES = new Set([
  'loc',
  'extra',
  'leadingComments',
  'trailingComments',
  'innerComments',
  'start',
  'end',
  'type',
]);

function* childrenOf(node) {
  for (const key in node) {
    const value = NO_NODES.has(key) ? undefined : node[key];
    if (Array.isArray(value)) yield* value.filter((child) => typeof child?.type === 'string');
    else if (typeof value?.type === 'string') yield value;
  }
}

/** Names that a pattern declares. */
function namesIn(pattern) {
  if (pattern === null || pattern === undefined) return [];
  if (pattern.type === 'Identifier') return [pattern.name];
  if (pattern.type === 'AssignmentPattern') return namesIn(pattern.left);
  if (pattern.type === 'RestElement') return namesIn(pattern.argument);
  if (pattern.type === 'ArrayPattern') return pattern.elements.flatMap(namesIn);
  if (pattern.type === 'ObjectPattern') return pattern.properties.flatMap((each) => namesIn(each.value ?? each));
  return [];
}

const isFunction = ({ type }) => /Function|ObjectMethod|ClassMethod|ClassPrivateMethod/.test(type);

/** Names that are declared in a function, in whatever block. */
function localNames(node) {
  const own = (child) => {
    if (child.type === 'VariableDeclaration')
      return child.declarations.flatMap(({ id, init }) => [...namesIn(id), ...(init ? within(init) : [])]);
    if (child.type === 'FunctionDeclaration' || child.type === 'ClassDeclaration') return namesIn(child.id);
    if (child.type === 'CatchClause') return [...namesIn(child.param), ...within(child)];
    return isFunction(child) ? [] : within(child);
  };
  const within = (parent) => [...childrenOf(parent)].flatMap(own);
  return [...node.params.flatMap(namesIn), ...within(node.body)];
}

/** The variables of a module, by how they came: `let`, `const`, `class`, `import`; with the value of a constant. */
function variablesOf(program) {
  const variables = new Map();
  for (const statement of program.body) {
    const declaration = statement.declaration ?? statement;
    if (statement.type === 'ImportDeclaration')
      for (const { local } of statement.specifiers) variables.set(local.name, { kind: 'import' });
    else if (declaration.type === 'VariableDeclaration')
      for (const { id, init } of declaration.declarations)
        for (const name of namesIn(id)) variables.set(name, { kind: declaration.kind, init });
    else if (declaration.type === 'ClassDeclaration' && declaration.id)
      variables.set(declaration.id.name, { kind: 'class' });
  }
  return variables;
}

/** The name of what a changing expression changes: `a` for `a = 1`, `a.b++`, `delete a.b`, `a.b.push(1)`. */
function changedBy(node) {
  if (node.type === 'AssignmentExpression')
    return node.left.property?.name === PLACE_IN_TEXT ? undefined : rootOf(node.left);
  if (node.type === 'UpdateExpression') return rootOf(node.argument);
  if (node.type === 'UnaryExpression' && node.operator === 'delete') return rootOf(node.argument);
  const isCall = node.type === 'CallExpression' && node.callee.type === 'MemberExpression';
  return isCall && MUTATORS.has(node.callee.property.name) ? rootOf(node.callee.object) : undefined;
}

function rootOf(node) {
  if (node.type === 'Identifier') return node.name;
  return node.type === 'MemberExpression' ? rootOf(node.object) : undefined;
}

/** `{ own, imported }`: names of variables of this module, and of those it imports, that code of it changes after it was loaded. */
export function moduleState(text) {
  const { program } = parse(text, { sourceType: 'module' });
  const variables = variablesOf(program);
  const own = new Set();
  const imported = new Set();
  for (const [name, { kind, init }] of variables) {
    const made = kind === 'const' && init?.type === 'NewExpression' ? init.callee.name : undefined;
    if (WEAK.has(made)) variables.delete(name);
    else if (made !== undefined && !PLAIN.has(made)) own.add(name);
  }
  /** `functions`: those around the node. */
  const walk = (node, functions) => {
    const name = changedBy(node);
    const variable = variables.get(name);
    const isVariable = variable !== undefined && !functions.some((each) => localNames(each).includes(name));
    if (isVariable && variable.kind === 'import') imported.add(name);
    else if (isVariable && functions.length > 0) own.add(name);
    const inner = isFunction(node) ? [...functions, node] : functions;
    for (const child of childrenOf(node)) walk(child, inner);
  };
  walk(program, []);
  return { own: [...own].toSorted(byName), imported: [...imported].toSorted(byName) };
}

function byName(a, b) {
  return a < b ? -1 : 1;
}
