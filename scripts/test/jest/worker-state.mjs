// What a test file may change outside of its own modules, and how the worker gets it back before the next file.
import { createRequire } from 'node:module';
import { resetSources } from './kept-sources.mjs';

/** States of packages that outlive the objects of a file, by the name that is imported, with the exports of the package (CommonJS). */
const RESETS = {
  // Its logger is one for the process; an app sets it to its own.
  '@nestjs/common': ({ ConsoleLogger, Logger }) => Logger.overrideLogger(new ConsoleLogger()),
  // The default registry; our services have registries of their own (libs/observability).
  'prom-client': ({ register }) => register.clear(),
};

/** What makes a package put its state into the global object, where otherwise the first test file that uses it would. */
const STARTS = {
  'class-validator': ({ getMetadataStorage }) => getMetadataStorage(),
};

/** What packages keep in the global object is theirs as long as the worker lives. */
const addedByPackages = new Map();
const require = createRequire(import.meta.url);

/** Loads a package or a source, whose global properties then stay from file to file. */
export async function keepWhatPackagesAdd(name, load) {
  const before = new Set(Reflect.ownKeys(globalThis));
  const exports = await load();
  STARTS[name]?.(exports);
  for (const key of Reflect.ownKeys(globalThis))
    if (!before.has(key)) addedByPackages.set(key, Object.getOwnPropertyDescriptor(globalThis, key));
  return exports;
}

/** Remembers the state of the worker; returns a function that restores it. */
export function rememberWorkerState() {
  const restores = [
    rememberProperties(globalThis, addedByPackages),
    // Jest's runner puts its own in the place of it for each file.
    rememberProperty(process, 'exit'),
    rememberEnvironment(),
    rememberListeners(),
    rememberFolder(),
  ];
  const { exitCode } = process;
  return () => {
    for (const restore of restores) restore();
    process.exitCode = exitCode;
    resetSources();
    for (const [name, reset] of Object.entries(RESETS)) {
      // Loaded by a test file or by a source.
      const loaded = require.cache[require.resolve(name)];
      if (loaded !== undefined) reset(loaded.exports);
    }
  };
}

/** Own properties of an object: what is new is deleted, what has changed is set back; `kept` stays. */
function rememberProperties(object, kept) {
  const before = new Map(Reflect.ownKeys(object).map((key) => [key, Object.getOwnPropertyDescriptor(object, key)]));
  return () => {
    const wanted = new Map([...before, ...kept]);
    for (const key of Reflect.ownKeys(object)) if (!wanted.has(key)) Reflect.deleteProperty(object, key);
    for (const [key, property] of wanted) {
      const now = Object.getOwnPropertyDescriptor(object, key);
      if (now?.value !== property.value || now?.get !== property.get) Reflect.defineProperty(object, key, property);
    }
  };
}

function rememberProperty(object, key) {
  const before = object[key];
  return () => {
    object[key] = before;
  };
}

function rememberEnvironment() {
  const before = { ...process.env };
  return () => {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    for (const [name, value] of Object.entries(before)) if (process.env[name] !== value) process.env[name] = value;
  };
}

/** Those of `exit` stay: packages end their child processes there. */
function rememberListeners() {
  const before = new Map(process.eventNames().map((name) => [name, process.rawListeners(name)]));
  return () => {
    for (const name of process.eventNames()) {
      if (name === 'exit') continue;
      for (const listener of process.rawListeners(name))
        if (!before.get(name)?.includes(listener)) process.removeListener(name, listener);
    }
    for (const [name, listeners] of before)
      for (const listener of listeners) if (!process.rawListeners(name).includes(listener)) process.on(name, listener);
  };
}

function rememberFolder() {
  const before = process.cwd();
  return () => {
    if (process.cwd() !== before) process.chdir(before);
  };
}
