import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { fromScript, ROOT } from './scripts.js';

const FILES = globSync('.github/workflows/*.yml', { cwd: ROOT });

interface Step {
  readonly run?: string;
  readonly uses?: string;
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps?: readonly Step[];
  readonly uses?: string;
  readonly needs?: string | readonly string[];
  readonly if?: string;
  readonly 'timeout-minutes'?: number;
}

interface Workflow {
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

function text(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

function workflow(file: string): Workflow {
  return parse(text(file)) as Workflow; // GitHub's parser has read it, in the first test
}

function commands(file: string): readonly string[] {
  return Object.values(workflow(file).jobs).flatMap(({ steps = [] }) => steps.flatMap(({ run }) => run ?? []));
}

/** What GitHub itself says about workflows. The package is meant for bundlers, and imports JSON as these do. */
function problems(...contents: readonly string[]): readonly (readonly string[])[] {
  return fromScript(`
    import { registerHooks } from 'node:module';
    const ofJson = { importAttributes: { type: 'json' } };
    registerHooks({
      load: (url, context, next) => next(url, url.endsWith('.json') ? { ...context, ...ofJson } : context),
    });
    const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = await import('@actions/workflow-parser');
    const problems = async (content) => {
      const { context, value } = parseWorkflow({ name: 'workflow.yml', content }, new NoOperationTraceWriter());
      const errors = context.errors.getErrors().map(({ message }) => message);
      if (value === undefined || errors.length > 0) return errors;
      const { errors: more = [] } = await convertWorkflowTemplate(context, value);
      return more.map(({ Message }) => Message);
    };
    console.log(JSON.stringify(await Promise.all(${JSON.stringify(contents)}.map(problems))));`) as readonly string[][]; // what the line prints
}

describe('the workflows', () => {
  it('are there', () =>
    expect(FILES.toSorted()).toEqual(['.github/workflows/release.yml', '.github/workflows/tests.yml']));

  it.each(FILES)('%s is one for GitHub', (file) => {
    expect(problems(text(file))).toEqual([[]]);
  });

  it.each([
    ['an unknown key', 'runs-on: ubuntu-24.04', 'run-on: ubuntu-24.04'],
    ['an expression that ends too early', "format('ghcr.io/{0}', github.repository_owner)", "format('ghcr.io/{0}'"],
    ['an unknown function', 'format(', 'formatted('],
    ['a job that is not there', 'needs: [pinned, npm]', 'needs: [pinned, nothing]'],
    ['an unknown permission', 'id-token: write', 'id-tokens: write'],
  ])('are refused with %s', (_what, right, wrong) => {
    const release = text('.github/workflows/release.yml');
    expect(release).toContain(right);
    expect(problems(release.replace(right, wrong))).not.toEqual([[]]);
  });

  it.each(FILES)('%s gives no job more than it names', (file) => {
    const { permissions, jobs } = workflow(file);
    expect(permissions).toEqual({});
    expect(Object.entries(jobs).filter(([, job]) => job.permissions === undefined)).toEqual([]);
  });

  it.each(FILES)('%s ends each job after a time', (file) => {
    const own = Object.entries(workflow(file).jobs).filter(([, { uses }]) => uses === undefined);
    expect(own.filter(([, job]) => job['timeout-minutes'] === undefined)).toEqual([]);
  });

  it.each(FILES)('%s uses actions by their commit, with the version beside it', (file) => {
    const used = [...text(file).matchAll(/uses: (?!\.\/)(.*)$/gm)].map(([, action]) => action);
    expect(used.filter((action = '') => !/^actions\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
  });

  it.each(FILES)('%s puts no expression into a command, where text from outside would run', (file) => {
    expect(commands(file).filter((command) => command.includes('${{'))).toEqual([]);
  });

  it.each(FILES)('%s has commands that a shell can read', (file) => {
    const broken = commands(file).filter((command) => spawnSync('bash', ['-n'], { input: command }).status !== 0);
    expect(broken).toEqual([]);
  });

  it.each(FILES)('%s runs only scripts that there are', (file) => {
    const { scripts }: { scripts: Readonly<Record<string, string>> } = JSON.parse(text('package.json'));
    const all = commands(file).join('\n');
    const names = [...all.matchAll(/(?:^|&& )npm (?:run )?((?!publish)[\w:-]+)/gm)].map(([, name = '']) => name);
    const known = new Set(Object.keys(scripts));
    expect(names.filter((name) => !known.has(name))).toEqual([]);
    const paths = [...all.matchAll(/(?:^|\s)((?:scripts|deploy|\.ci)\/[\w./-]+)/g)].map(([, path = '']) => path);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('publish nothing unless all tests have passed', () => {
    const { jobs } = workflow('.github/workflows/release.yml');
    const needed = (name: string): readonly string[] => {
      const direct = [jobs[name]?.needs ?? []].flat();
      return [...direct, ...direct.flatMap((each) => needed(each))];
    };
    const writing = Object.entries(jobs).filter(([, { permissions = {} }]) =>
      Object.values(permissions).includes('write'),
    );
    expect(writing.map(([name]) => name)).toEqual(['image', 'images', 'pinned', 'npm', 'publish']);
    expect(writing.filter(([name]) => !needed(name).includes('tests'))).toEqual([]);
    expect(jobs['tests']?.uses).toBe('./.github/workflows/tests.yml');
    expect(existsSync(join(ROOT, '.github/workflows/tests.yml'))).toBe(true);
  });
});
