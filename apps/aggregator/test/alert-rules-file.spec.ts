import { eventually } from '@ringdown/testing/eventually';
import { loggedLines } from '@ringdown/testing/logged-lines';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AlertReceivers } from '../src/alerts/delivery/alert-receivers.js';
import type { AlertRule as ShownRule } from '@ringdown/answers/alerts';
import { AlertRules } from '../src/alerts/rules/alert-rules.js';
import { FileRules } from '../src/alerts/rules/file-rules.js';
import { readRulesFile } from '../src/alerts/rules/rules-file.js';
import { CallFilters } from '../src/search/query/call-filter-query.js';
import { ruleOfJson } from '../src/http/alerts/alert-rule-input.js';
import { ruleReader } from '../src/http/alerts/rule-searches.js';
import { Database } from '../src/store/database/database.js';
import { Surroundings, type Page, type Problem, type RunningAggregator } from './aggregator-under-test.js';

const BAD = { id: 'bad-calls', name: 'Bad calls', measure: 'badCalls', limit: 0.5 };
const SHORT = { id: 'short', name: 'Short calls', measure: 'shortCalls', limit: 0.3 };

describe('the file of alert rules', () => {
  let around: Surroundings;
  let aggregator: RunningAggregator;
  let folder: string;
  let file: string;
  const log = loggedLines();
  const write = (...rules: readonly object[]): void => writeFileSync(file, JSON.stringify({ rules }));

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ringdown-rules-'));
    file = join(folder, 'rules.json');
    write(BAD, SHORT);
    around = await Surroundings.start();
    aggregator = await around.startAggregator({ ALERT_RULES: file }, log.logger);
    await around.startAggregator({ ALERT_RULES: file });
    await eventually('readiness', async () => (await aggregator.health.report()).ready);
  });
  afterAll(async () => {
    await around.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const rules = async (): Promise<readonly ShownRule[]> =>
    (await aggregator.get<Page<ShownRule>>('/api/alert-rules', around.operator)).body.items;
  const rulesAre = (...expected: readonly string[]): Promise<readonly ShownRule[]> =>
    eventually('the rules', async () => {
      const shown = await rules();
      const texts = shown.map(({ id, limit, etag }) => `${id} ${limit} ${etag}`).toSorted();
      return texts.join() === expected.join() && shown;
    });

  it('is stored once by all replicas, and follows the file', async () => {
    const shown = await rulesAre('file:bad-calls 0.5 1', 'file:short 0.3 1');
    expect(shown.map(({ source }) => source)).toEqual(['file', 'file']);
    write({ ...BAD, limit: 0.6 });
    await rulesAre('file:bad-calls 0.6 2');
    write({ ...BAD, limit: 0.7 });
    await rulesAre('file:bad-calls 0.7 3');
  });

  it.each([
    ['{', 'ALERT_RULES must be a readable JSON file'],
    [JSON.stringify({ rules: [{ ...BAD, limit: 7 }] }), 'ALERT_RULES has a wrong rule, rules[0]: limit of badCalls'],
  ])('keeps its rules and logs one line when a change is wrong (%#)', async (content, problem) => {
    writeFileSync(file, content);
    const isLogged = (line: object): boolean => 'reason' in line && String(line.reason).startsWith(problem);
    await eventually('the line', () => log.lines.some(isLogged));
    expect((await rules()).map(({ id, limit, etag }) => `${id} ${limit} ${etag}`)).toEqual(['file:bad-calls 0.7 3']);
    write({ ...BAD, limit: 0.7 });
  });

  it('has rules that cannot be changed over HTTP, beside those of operators', async () => {
    const { id: _, ...body } = BAD;
    const created = await aggregator.send<ShownRule>('POST', '/api/alert-rules', around.operator, { body });
    expect([created.status, created.body.source]).toEqual([201, 'api']);
    const path = '/api/alert-rules/file:bad-calls';
    const { body: before } = await aggregator.get<ShownRule>(path, around.operator);
    const headers = { 'if-match': `"${before.etag}"` };
    const put = await aggregator.send<Problem>('PUT', path, around.operator, { body, headers });
    const removed = await aggregator.send<Problem>('DELETE', path, around.operator);
    expect([put.status, put.body.code, removed.status]).toEqual([409, 'rule-from-file', 409]);
    expect((await rules()).map(({ source }) => source).toSorted()).toEqual(['api', 'file']);
  });

  it.each([
    ['{', 'must be a readable JSON file'],
    ['[]', 'must contain an object with a list "rules"'],
    [['x'], 'rules[0]: it must be an object'],
    [[{ ...BAD, id: 'A b' }], 'rules[0]: id must have'],
    [[BAD, { ...SHORT, limit: 2 }], 'rules[1]: limit of shortCalls must be from 0 to 1'],
    [[{ ...BAD, color: 'red' }], 'color'],
    [[BAD, BAD], 'two rules with the id bad-calls'],
    [Array.from({ length: 101 }, (__, n) => ({ ...BAD, id: `r${n}` })), 'at most 100'],
  ])('is rejected with the place of what is wrong (%#)', (content, problem) => {
    const wrong = join(folder, 'wrong.json');
    writeFileSync(wrong, typeof content === 'string' ? content : JSON.stringify({ rules: content }));
    expect(() => readRulesFile(wrong, ruleOfJson)).toThrow(problem);
  });

  it.each([
    [{ ...BAD, receivers: ['pager'] }, 'the receiver pager is not in ALERT_RECEIVERS'],
    [{ ...BAD, by: 'site' }, 'by may be site only with SITES_FILE'],
    [{ ...BAD, search: { colour: 'red' } }, 'rules[0]: search: there is no colour'],
    [{ ...BAD, search: { site: 'Nowhere' } }, 'search: site must be one of those in SITES_FILE'],
  ])('is rejected at the start with a rule that could not be evaluated (%#)', (rule, problem) => {
    const wrong = join(folder, 'wrong.json');
    writeFileSync(wrong, JSON.stringify({ rules: [rule] }));
    expect(() => fileRulesOf(wrong)).toThrow(problem);
  });

  function fileRulesOf(path: string): FileRules {
    const logger = quietLogger();
    const readRule = ruleReader(new CallFilters({ subnets: [] }, Date.now));
    const database = new Database({ url: around.database.url, poolSize: 1, logger });
    const receivers = new AlertReceivers([]);
    return new FileRules({ file: path, rules: new AlertRules(database), readRule, receivers, logger });
  }
});
