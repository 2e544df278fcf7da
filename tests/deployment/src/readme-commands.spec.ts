import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../../..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const readme = read('README.md');

/** The tests that run every line of a section, as README.md has it. */
const RUN_WHOLE: Readonly<Record<string, string>> = {
  'Quick start': 'apps/ringdown/test/readme.spec.ts',
  'As a package': 'tests/packages/test/newcomer.spec.ts',
};

interface Ran {
  readonly file: string;
  /** Of that file: the command, as it is run there. */
  readonly as: string;
}

const COMPOSE = 'deploy/ci/compose.sh';
const STARTED = { file: COMPOSE, as: 'in_project up --detach' };
/** Lines of the section about containers: their project, ports and images are those of the test. */
const CONTAINERS: Readonly<Record<string, Ran>> = {
  'deploy/images/build-ringdown.sh': { file: 'scripts/test/images.mjs', as: "build('build-ringdown.sh', 'ringdown')" },
  'docker run -d --name ringdown --read-only --tmpfs /tmp -p 8443:8443 -p 8080:8080 -v ringdown:/data ringdown:local': {
    file: 'tests/packages/test/images/whole-system.spec.ts',
    as: "documented('README.md'",
  },
  'deploy/make-env.sh': { file: COMPOSE, as: '/deploy/make-env.sh"' },
  'docker compose up -d': STARTED,
  "printf 'COLLECTOR_REPLICAS=3\\nAGGREGATOR_REPLICAS=2\\n' >> .env && docker compose up -d": {
    file: 'scripts/test/compose.mjs',
    as: "COLLECTOR_REPLICAS: '3', AGGREGATOR_REPLICAS: '2'",
  },
  'docker compose --profile demo up -d': { file: COMPOSE, as: '--profile demo up --detach' },
  'docker compose exec discovery-auth cat /data/first-users.json': {
    file: COMPOSE,
    as: 'container discovery-auth)" cat /data/first-users.json',
  },
};

/** Commands inside of sentences. */
const IN_TEXT: Readonly<Record<string, Ran>> = {
  'apt install nodejs npm': {
    file: '.github/workflows/tests.yml',
    as: 'apt-get install -y --no-install-recommends ca-certificates git nodejs npm',
  },
  'PORT=9443 COLLECTOR_PORT=9080 DATA_DIR=./data2 npm start': {
    file: 'apps/ringdown/test/readme.spec.ts',
    as: 'SECOND_SYSTEM',
  },
  'npx ringdown-sender run': { file: 'apps/sender/test/run.spec.ts', as: "startSender(['run'], settings)" },
  'npm test': { file: '.github/workflows/tests.yml', as: 'run: npm test' },
  'npm run test:all': { file: '.ci/run', as: 'npm run test:all' },
};

function sections(): ReadonlyMap<string, string> {
  const blocks = readme
    .split('\n## ')
    .slice(1)
    .map((section) => {
      const [heading = '', ...lines] = section.split('\n');
      return [heading, [...lines.join('\n').matchAll(/```\w*\n(.*?)```/gs)].map(([, text]) => text).join('')] as const;
    });
  return new Map(blocks.filter(([, commands]) => commands !== ''));
}

const runAt = ({ file, as }: Ran): boolean => read(file).includes(as);

describe('the commands of README.md', () => {
  it('are run by a test, each section with commands as a whole or line by line', () => {
    expect([...sections().keys()]).toEqual([...Object.keys(RUN_WHOLE), 'With containers']);
    for (const [section, file] of Object.entries(RUN_WHOLE))
      expect(read(file)).toContain(`commandsUnder('README.md', '${section}')`);
  });

  it('are run with containers in a project of their own', () => {
    const lines = (sections().get('With containers') ?? '').split('\n').filter((line) => line !== '');
    expect(lines.map((line) => line.replace(/ +#.*$/, ''))).toEqual(Object.keys(CONTAINERS));
    expect(Object.values(CONTAINERS).filter((ran) => !runAt(ran))).toEqual([]);
  });

  it('are run, too, where they are inside of a sentence', () => {
    const text = readme.replaceAll(/```\w*\n.*?```/gs, '');
    const named = [...text.matchAll(/`([^`]+)`/g)].map(([, words = '']) => words);
    const commands = named.filter((words) => /^(?:\w+=\S+ )*(?:npm|npx|apt|docker|curl|ringdown|sudo) /.test(words));
    expect(new Set(commands)).toEqual(new Set(Object.keys(IN_TEXT)));
    expect(Object.values(IN_TEXT).filter((ran) => !runAt(ran))).toEqual([]);
  });
});

it('the commands of the guide to packages are run by tests of packages', () => {
  const guide = "commandsUnder('docs/guides/operating.md', 'An installed package')";
  for (const spec of ['newcomer', 'tarball']) expect(read(`tests/packages/test/${spec}.spec.ts`)).toContain(guide);
});
