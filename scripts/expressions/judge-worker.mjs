// Checks expressions, for check-expressions.mjs.
import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';

// The build for browsers is plain JavaScript: no Java and no separate program.
const { checkSync } = createRequire(import.meta.url)('recheck/lib/browser.js');
const TIMEOUT_MS = 60_000;
/** With this length, quadratic time is seconds and linear time a few milliseconds. */
const ATTACK_LENGTH = 50_000;
const LINEAR_MS = 100;

parentPort.on('message', ({ source, flags }) => {
  const { status, complexity, attack, checker, error } = checkSync(source, flags, { timeout: TIMEOUT_MS });
  const isLinear =
    status === 'safe' || (checker === 'fuzz' && attack !== undefined && withstands(source, flags, attack));
  const verdict = isLinear ? 'linear' : (complexity?.summary ?? error?.kind ?? status);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
  parentPort.postMessage({ verdict, attack: attack?.pattern });
});

/**
 * Expressions that look ahead or behind cannot be proved, only attacked, and recheck counts steps that V8 does not take: the
 * attack that it found is executed, with a longer text.
 */
function withstands(source, flags, { pumps, suffix }) {
  const times = Math.ceil(
    ATTACK_LENGTH /
      Math.max(
        1,
        pumps.reduce((sum, { pump }) => sum + pump.length, 0),
      ),
  );
  const text = pumps.map(({ prefix, pump }) => prefix + pump.repeat(times)).join('') + suffix;
  const expression = new RegExp(source, flags.includes('g') ? flags : `${flags}g`);
  const begun = process.threadCpuUsage();
  text.replaceAll(expression, '');
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / 1_000 < LINEAR_MS;
}
