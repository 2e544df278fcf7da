// Entry of every command in package.json: `node scripts/run.cjs system/start` runs scripts/system/start.mjs (`bench/feed/feed` bench/feed/feed.mjs) with the project's own Node 24.
// In syntax that every Node reads, so that one that is too old gets a sentence and not a stack trace.
var FLOOR = 18;
var ours = process.versions.node;
if (parseInt(ours, 10) < FLOOR) {
  console.error('ringdown: Node ' + FLOOR + ' or later is needed to start; this is ' + ours);
  process.exit(1);
}
require('./launch.cjs');
