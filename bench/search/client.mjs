/**
 * A process that only searches at a steady pace, so that the benchmark's other work, and its memory, do not affect the
 * figures. Each engine is queried by its own process.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { waitingPollsFlags } from '../../scripts/node-flags.mjs';
import { paced } from './pace.mjs';

const THIS_FILE = fileURLToPath(import.meta.url);

/**
 * Figures of {@link paced}. `engine` is a module in this folder that exports `connect(where)`, which returns functions
 * to search and to end; `where` is plain data.
 */
export async function searchedFromOutside({ engine, where }, queries) {
  const child = fork(THIS_FILE, { execArgv: waitingPollsFlags });
  const ended = once(child, 'exit');
  child.send({ engine, where, queries });
  const [figures] = await Promise.race([once(child, 'message'), ended.then(() => [])]);
  const [code] = await ended;
  if (figures === undefined) throw new Error(`the client of ${engine} ended with ${code}`);
  return figures;
}

if (process.argv[1] === THIS_FILE) {
  // The parent process is gone.
  process.once('disconnect', () => process.exit());
  const [{ engine, where, queries }] = await once(process, 'message');
  const { connect } = await import(engine);
  const { search, close } = await connect(where);
  const figures = await paced(queries, search);
  await close();
  process.send(figures, () => process.disconnect());
}
