// Runs jest on compiled test files and counts their tests.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { node24, root, print } from '../prepare.mjs';
import { all, headline, testEnv } from './tally.mjs';

/** So many files of a run are run again when they fail; more of them are not a matter of chance, nor of a slow machine (docs/adr/0029). */
const MOST_AGAIN = 8;

/**
 * Runs the test files whose compiled path matches, and counts their tests; a run that finds none has failed. In CI a few
 * files that fail are run again, alone, and named at the end (docs/adr/0029). `folder` is for its report. With `apart`, its
 * output is shown in one piece at the end, for runs that go on beside others.
 */
export async function runJest(tally, { name, pattern, folder, ...extra }) {
  const run = (title, selection) => runFiles(title, selection, { folder, ...extra });
  const files = await run(name, ['--testPathPatterns', pattern]);
  const broken = [...files.values()].filter(({ status }) => status === 'failed').map((file) => file.name);
  if (all && broken.length > 0 && broken.length <= MOST_AGAIN) {
    const again = await run(`${name}: again what failed`, ['--runTestsByPath', ...broken]);
    for (const [path, file] of again) {
      if (file.status === 'passed') tally.unsteady.push(`${relative(root, path)} (${name})`);
      files.set(path, file);
    }
  }
  for (const { name: path, startTime, endTime, processorSeconds } of files.values()) {
    tally.durations.push({
      file: relative(root, path),
      run: name,
      seconds: Math.round((endTime - startTime) / 100) / 10,
      processorSeconds,
    });
  }
  const counts = [...files.values()].map(countsOf);
  for (const each of counts) tally.add(each);
  for (const file of files.values()) tally.broken.push(...failuresOf(file, name));
  if (counts.every(({ passed, failed }) => passed + failed === 0)) tally.count(false);
}

function countsOf({ status, assertionResults }) {
  const passed = assertionResults.filter((test) => test.status === 'passed').length;
  // What is left out or still to do counts as failed, and so does a file that breaks outside of its tests.
  return { passed, failed: Math.max(assertionResults.length - passed, status === 'failed' ? 1 : 0) };
}

/** The tests of a file that failed, by name; the file alone if it broke outside of its tests. */
function failuresOf({ name: path, status, assertionResults }, run) {
  if (status !== 'failed') return [];
  const failed = assertionResults.filter((test) => test.status !== 'passed').map(({ fullName }) => `: ${fullName}`);
  return (failed.length > 0 ? failed : ['']).map((test) => `${relative(root, path)}${test} (${run})`);
}

/** The report of one run of jest on each test file, by its path; empty where it ended without a report. */
async function runFiles(name, selection, { folder, workers, apart, env: settings }) {
  if (!apart) headline(name);
  const own = mkdtempSync(join(folder, 'run-'));
  const report = join(own, 'report.json');
  const notes = join(own, 'processor-time');
  const args = [
    join(root, 'node_modules/jest/bin/jest.js'),
    '--json',
    // Once in a while Node goes round in its own clean-up for ever, after all is done, where tests have run threads.
    '--forceExit',
    `--outputFile=${report}`,
    ...(workers ? [`--maxWorkers=${workers}`] : []),
    ...selection,
  ];
  const stdio = ['ignore', 'ignore', apart ? 'pipe' : 2];
  const run = spawn(node24, args, {
    cwd: root,
    env: { ...testEnv, ...settings, RINGDOWN_TEST_PROCESSOR_TIME: notes },
    stdio,
  });
  const [output] = await Promise.all([apart ? text(run.stderr) : '', once(run, 'close')]);
  if (apart) {
    headline(name);
    process.stderr.write(output);
  }
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
    const seconds = processorSeconds(notes);
    return new Map(testResults.map((file) => [file.name, { ...file, processorSeconds: seconds.get(file.name) ?? 0 }]));
  } catch (error) {
    print(`no report of this run: ${error.message}`);
    return new Map();
  }
}

/** What jest itself needed for each file, as its workers have noted (jest/environment.mjs). */
function processorSeconds(notes) {
  const lines = existsSync(notes) ? readFileSync(notes, 'utf8').split('\n').filter(Boolean) : [];
  return new Map(lines.map((line) => JSON.parse(line)).map(({ file, seconds }) => [file, seconds]));
}
