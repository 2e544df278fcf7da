// Jest runs the compiled files of all workspaces.
import { globSync } from 'node:fs';

const folders = globSync('{apps,libs,tests}/*/dist/{src,test}', { cwd: import.meta.dirname });

export default {
  runtime: '<rootDir>/scripts/test/jest/runtime.mjs',
  testEnvironment: '<rootDir>/scripts/test/jest/environment.mjs',
  // Each start of jest lists and asks for the times of all files below these: with packages they would be 36,000.
  roots: folders.map((folder) => `<rootDir>/${folder}`),
  watchman: false,
  testMatch: ['**/*.spec.js'],
  transform: {},
  testSequencer: '<rootDir>/scripts/test/long-first.mjs',
  testTimeout: 300_000,
};
