// Records acknowledged by our collector and by other software, in turns.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { treeSeconds } from '../../process-tree.mjs';
import { Servers } from '../../servers.mjs';
import { busyDuring } from '../busy.mjs';
import { startInflux, startNginx, startTextbook, startWebdis } from '../peers.mjs';
import { inRounds } from '../rounds.mjs';
import { log, posting, rest, startCollector, warmUp } from '../system.mjs';

/** Each returns `{ base, shape?, stop?, pids? }`; undefined when the software is missing. */
const WAYS = {
  'node:http, a constant': async ({ servers }) => {
    const bare = await servers.bare(new URL('../bare.mjs', import.meta.url));
    return { ...bare, pids: { server: bare.pid } };
  },
  'Ringdown collector': async ({ servers }) => {
    const nats = await servers.startBus();
    const collector = await startCollector(servers, nats);
    return { ...collector, pids: { collector: collector.pid, bus: nats.pid } };
  },
  'Nest + fast-xml-parser, a publish each': async ({ servers, folder }) =>
    startTextbook(folder, await servers.startBus()),
  'webdis + Redis, appendfsync always': ({ folder }) => startWebdis(folder),
  'InfluxDB 1.6': ({ folder }) => startInflux(folder),
  'nginx + Lua + PostgreSQL': ({ folder }) => startNginx(folder),
};

/** Seconds of a turn that do not count: the client compiles. */
const AFTER = 1;

/** Returns pairs of a name and its rounds, which are undefined when the software is missing. */
export async function benchCollectors({ seconds }) {
  const stops = [];
  try {
    const rows = [];
    const missing = [];
    for (const [name, start] of Object.entries(WAYS)) {
      const place = makePlace(stops);
      const way = await start(place);
      if (way === undefined) {
        missing.push(name);
        continue;
      }
      if (way.stop !== undefined) stops.push(way.stop);
      log(`posting to ${name}, which is not measured yet …`);
      await warmUp({ base: way.base, shape: way.shape ?? 'feed' });
      rows.push([name, (round) => turn(name, way, seconds, round)]);
    }
    const rounds = await inRounds(rows, { rest, figureOf: ({ perSecond }) => perSecond });
    return Object.keys(WAYS).map((name) => [name, missing.includes(name) ? undefined : rounds.get(name)]);
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}

/** Folders and servers of one way. */
function makePlace(stops) {
  const place = { servers: new Servers(), folder: mkdtempSync(join(tmpdir(), 'ringdown-bench-feed-')) };
  stops.push(async () => {
    await place.servers.stop();
    rmSync(place.folder, { recursive: true, force: true });
  });
  return place;
}

/**
 * `micros`: processor time of each known process for a record, with its children (Redis rewrites its file in one); `others`: the share of
 * the machine that other programs used, if all are known.
 */
async function turn(name, { base, shape = 'feed', pids = {} }, seconds, round) {
  const clocks = Object.fromEntries(Object.entries(pids).map(([process, pid]) => [process, () => treeSeconds(pid)]));
  const {
    result,
    seconds: used,
    others,
  } = await busyDuring(clocks, () => posting({ base, shape, after: AFTER, seconds }));
  log(`round ${round + 1}: ${name}, ${Math.round(result.perSecond)} records/s`);
  const micros = Object.entries(used).map(([process, spent]) => [process, (spent / result.acknowledged) * 1e6]);
  return { ...result, micros: Object.fromEntries(micros), others: micros.length === 0 ? undefined : others };
}
