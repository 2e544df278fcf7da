import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

// Moves the streams of the folder that is given; is killed after so many changes of the disk, before the next one.
const [folder = '', changes = ''] = process.argv.slice(2);

let left = Number(changes);
const change = <A extends unknown[], R>(original: (...args: A) => R): ((...args: A) => R) => {
  return (...args) => {
    if (left-- === 0) process.kill(process.pid, 'SIGKILL');
    return original(...args);
  };
};
const { mkdirSync, renameSync, fsyncSync, rmdirSync } = fs;
Object.assign(fs, {
  mkdirSync: change(mkdirSync),
  renameSync: change(renameSync),
  fsyncSync: change(fsyncSync),
  rmdirSync: change(rmdirSync),
});
syncBuiltinESMExports();

const { moveStreamsToAccounts } = await import('../src/move-streams.js');
moveStreamsToAccounts(folder);
