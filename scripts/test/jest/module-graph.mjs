// The modules of one test file. Tests and what is beside them in `test` are fresh for each file. Packages of node_modules and the
// sources of workspaces are those that Node has loaded once for this worker: a service needs 300 of its own and 2,000 of packages.
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SourceTextModule, SyntheticModule } from 'node:vm';
import { loadSource } from './kept-sources.mjs';
import { keepWhatPackagesAdd } from './worker-state.mjs';

/** For all files of this worker: fresh modules as compiled, by path, and modules that stand for those of Node, by address. */
const compiled = new Map();
const kept = new Map();

const PACKAGES = /[\\/]node_modules[\\/]/;
const SOURCES = /[\\/](?:apps|libs|tests)[\\/][^\\/]+[\\/]dist[\\/]src[\\/].*(?<!\.spec)\.js$/;

export class ModuleGraph {
  /** Fresh modules by path. */
  #modules = new Map();
  #linked = new Set();
  #evaluated = new Map();
  #resolve;
  #globals;

  /** `resolve(from, name)` is the path of a module; `globals(from)` are the exports of @jest/globals for a module. */
  constructor(resolve, globals) {
    this.#resolve = resolve;
    this.#globals = globals;
  }

  /** Loads and runs a fresh module, if this graph has not yet. */
  async import(path) {
    const module = this.#moduleOf(path);
    await this.#link(module);
    if (!this.#evaluated.has(module)) this.#evaluated.set(module, module.evaluate());
    await this.#evaluated.get(module);
    return module;
  }

  #moduleOf(path) {
    let module = this.#modules.get(path);
    if (module === undefined) {
      module = path.endsWith('.json') ? jsonModule(path) : this.#compile(path);
      this.#modules.set(path, module);
    }
    return module;
  }

  #compile(path) {
    const url = pathToFileURL(path).href;
    return compile(readFileSync(path, 'utf8'), {
      identifier: path,
      initializeImportMeta: (meta) => {
        meta.url = url;
        meta.filename = path;
        meta.dirname = dirname(path);
        meta.main = false;
        meta.resolve = (name) => {
          const target = this.#target(path, name);
          return target.path === undefined ? target.name : pathToFileURL(target.path).href;
        };
      },
      importModuleDynamically: (name) => this.#importFrom(path, name),
    });
  }

  async #importFrom(path, name) {
    const target = this.#target(path, name);
    if (target.isFresh) return this.import(target.path);
    const module = await this.#keptModule(path, target);
    if (module.status !== 'evaluated') await module.evaluate();
    return module;
  }

  /** Loads everything below a module, and connects it. */
  async #link(root) {
    const graph = new Map();
    const waiting = [root];
    for (let module = waiting.pop(); module !== undefined; module = waiting.pop()) {
      if (graph.has(module) || this.#linked.has(module) || !(module instanceof SourceTextModule)) continue;
      const path = module.identifier;
      const dependencies = module.moduleRequests.map(({ specifier }) => {
        const target = this.#target(path, specifier);
        return target.isFresh ? this.#moduleOf(target.path) : this.#keptModule(path, target);
      });
      graph.set(module, dependencies);
      waiting.push(...dependencies);
    }
    const loaded = await Promise.all(
      [...graph].map(async ([module, dependencies]) => [module, await Promise.all(dependencies)]),
    );
    for (const [module, dependencies] of loaded) {
      if (this.#linked.has(module)) continue;
      module.linkRequests(dependencies);
      this.#linked.add(module);
    }
    if (root instanceof SourceTextModule && root.status === 'unlinked') root.instantiate();
  }

  #target(from, specifier) {
    if (isBuiltin(specifier) || specifier.startsWith('data:') || specifier === '@jest/globals')
      return { name: specifier, isFresh: false };
    const path = this.#pathOf(from, specifier);
    return { name: specifier, path, isFresh: !PACKAGES.test(path) && !SOURCES.test(path) };
  }

  #pathOf(from, specifier) {
    if (specifier.startsWith('file:')) return fileURLToPath(specifier);
    if (/^\.{0,2}\//.test(specifier)) return fileURLToPath(new URL(specifier, pathToFileURL(from)));
    return this.#resolve(from, specifier);
  }

  /** A package, a source of a workspace, a module of Node, or the globals of jest. */
  #keptModule(from, { name, path }) {
    if (name === '@jest/globals') return moduleOfExports(name, this.#globals(from));
    const address = path === undefined ? name : pathToFileURL(path).href;
    if (!kept.has(address)) kept.set(address, loadOnce(address, name));
    return kept.get(address);
  }
}

function compile(text, options) {
  const before = compiled.get(options.identifier);
  if (before?.text === text) {
    try {
      return new SourceTextModule(text, { ...options, cachedData: before.code });
    } catch (error) {
      // A test has changed the flags of V8.
      if (error.code !== 'ERR_VM_MODULE_CACHED_DATA_REJECTED') throw error;
    }
  }
  const module = new SourceTextModule(text, options);
  compiled.set(options.identifier, { text, code: module.createCachedData() });
  return module;
}

/** Loads it the way Node does. */
async function loadOnce(address, name) {
  const load = () => (SOURCES.test(address) ? loadSource(address) : import(address));
  return moduleOfExports(address, await keepWhatPackagesAdd(name, load));
}

function moduleOfExports(identifier, exports) {
  const module = new SyntheticModule(
    Object.keys(exports),
    () => {
      for (const [name, value] of Object.entries(exports)) module.setExport(name, value);
    },
    { identifier },
  );
  return module;
}

function jsonModule(path) {
  return moduleOfExports(path, { default: JSON.parse(readFileSync(path, 'utf8')) });
}
