// Plugin of the bundler for modules of Node. An `import` of one reads all that it exports, also what Node itself loads only when it is
// used: that of `node:http` loads undici, which took 8 % of the processor time of a start (docs/adr/0115).
import { createRequire, isBuiltin } from 'node:module';

const PREFIX = '\0builtin:';
const require = createRequire(import.meta.url);

export function isStandIn(id) {
  return id.startsWith(PREFIX);
}

/** Stand in for modules of Node, and read what is imported from them. `require` reads nothing, and is left as it is. */
export function builtinModules() {
  return {
    name: 'builtin-modules',
    resolveId: (id, importer = '', { kind }) =>
      kind === 'import-statement' && isBuiltin(id) && !isOfBundler(importer) ? `${PREFIX}${id}` : null,
    load: (id) => (isStandIn(id) ? { code: standIn(id.slice(PREFIX.length)), moduleSideEffects: false } : null),
  };
}

/** The bundler's own code, which the stand-ins need. */
function isOfBundler(id) {
  return id.startsWith('\0rolldown/');
}

function standIn(id) {
  const names = Object.keys(require(id)).filter((name) => name !== 'default');
  // One by one, and marked so that the bundler leaves out what nobody imports.
  const exports = names.map((name) => `const _${name} = /* @__PURE__ */ read(${JSON.stringify(name)});`);
  return `const module = /* @__PURE__ */ process.getBuiltinModule(${JSON.stringify(id)});
const read = (name) => module[name];
${exports.join('\n')}
export { module as default, ${names.map((name) => `_${name} as ${name}`).join(', ')} };`;
}
