// Processor time and memory of a process with those that it has started.
import { readFileSync } from 'node:fs';
import { cpuSeconds, endedChildrenSeconds } from './servers.mjs';

/** Processor time of a process and those that it has started. */
export function treeSeconds(pid) {
  return treeOf(pid).reduce((sum, each) => sum + secondsOf(each), endedChildrenSeconds(pid));
}

/** Memory of processes in megabytes; what several of them share is counted once. */
export function sharedMegabytes(pids) {
  const kilobytes = pids.map((pid) => {
    const [, kilobytes = 0] = /^Pss:\s+(\d+)/m.exec(readOf(pid, 'smaps_rollup')) ?? [];
    return Number(kilobytes);
  });
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1_024;
}

/** The process and all below it. */
export function treeOf(pid) {
  const children = readOf(pid, `task/${pid}/children`).trim();
  return [pid, ...(children === '' ? [] : children.split(' ').flatMap((child) => treeOf(Number(child))))];
}

function secondsOf(pid) {
  try {
    return cpuSeconds(pid);
  } catch (error) {
    return ifGone(error, 0);
  }
}

function readOf(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch (error) {
    return ifGone(error, '');
  }
}

/** A process may have ended since it was listed: its parent has its time now. */
function ifGone(error, value) {
  if (error.code === 'ENOENT' || error.code === 'ESRCH') return value;
  throw error;
}
