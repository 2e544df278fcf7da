// Jest's runtime with another way to load modules: one graph of own modules for each test file, on packages that are loaded
// once for each worker (docs/adr/0089).
import Runtime from 'jest-runtime';
import { createRequire } from 'node:module';
import { ModuleGraph } from './module-graph.mjs';

const CONDITIONS = Object.freeze({ conditions: ['import', 'module-sync', 'default', 'node', 'node-addons'] });
const JestRuntime = Runtime.default ?? Runtime;

export default class SharedPackagesRuntime extends JestRuntime {
  #graph;

  constructor(config, environment, resolver, ...others) {
    super(config, environment, resolver, ...others);
    this.#graph = new ModuleGraph(
      (from, name) => resolver.resolveModule(from, name, CONDITIONS),
      (from) => this.requireModuleOrMock(from, '@jest/globals'),
    );
  }

  unstable_importModule(path) {
    return this.#graph.import(path);
  }

  /** Jest's own modules: the framework, which keeps the tests of one file. */
  requireInternalModule(from, name) {
    const require = createRequire(from);
    const path = require.resolve(name ?? from);
    delete require.cache[path];
    return require(path);
  }

  /** For a global object of the file alone; here it is that of the worker. */
  installGetBuiltinModule() {}

  setMock(from, name) {
    throw new Error(`${name} cannot be mocked: packages are shared by the test files of a worker (docs/adr/0089)`);
  }

  setModuleMock(from, name) {
    this.setMock(from, name);
  }
}
