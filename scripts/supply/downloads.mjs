// Everything that a command of the project downloads, by whom its content is vouched for, and the code that does it: docs/supply-chain.md is made from
// these rows (npm run docs:supply-chain), and a test finds each such line of code in them (tests/deployment/src/supply-chain.spec.ts).

const LOCK = 'sha512 of each package in `package-lock.json`, by `npm ci`';
const DEBIAN = "Debian's signature, by apt";
const TAG_ALONE = 'a tag';
const TAG = 'a tag here, the digest in a release ([below](#images))';

/** `code`: files with a part of each line that downloads. */
export const DOWNLOADS = [
  {
    what: 'Packages of npm, among them Node 24, PostgreSQL and argon2',
    when: 'the first command in a checkout, and after a change of `package-lock.json`',
    from: 'the registry of npm that the machine uses',
    checked: LOCK,
    code: { 'scripts/packages.cjs': ["quietly('npm ci'"] },
  },
  {
    what: 'Node 24 and npm, for machines whose own are too old',
    when: 'before the packages, into `.cache/tools`',
    from: 'as above',
    checked: 'sha512 of both ([below](#programs)), by `npm ci`',
    code: { 'scripts/own-npm.cjs': ["spawnSync('npm', INSTALL"] },
  },
  {
    what: 'nats-server',
    when: 'the first `npm start`, on Debian, if the PATH has none of 2.10 or later; into `.cache/nats-server`',
    from: 'the mirror of Debian that apt uses: Debian 13',
    checked: DEBIAN,
    code: {
      'libs/embedded/src/install-nats-server.ts': ['installDebianProgram(wanted'],
      'libs/embedded/src/debian-program.ts': ["apt(['update'])", "apt(['download'", "await run(aptGet, ['-q'"],
    },
  },
  {
    what: 'Node, PostgreSQL, argon2 and nats-server for another processor',
    when: '`npm run package -- --arch …`, into `.cache/package`',
    from: 'npm and Debian 13, as above',
    checked: `sha512 in \`package-lock.json\`; ${DEBIAN}; each program and library by its machine`,
    code: { 'scripts/package/fetch-programs.mjs': ["quietly('npm ci'", 'installDebianProgram(wanted'] },
  },
  {
    what: 'Packages of npm for the image',
    when: 'the image is built',
    from: 'the registry of npm that the secret `npmrc` names',
    checked: LOCK,
    code: { 'deploy/images/Dockerfile': ['npm ci --ignore-scripts', 'npm install --omit=dev --ignore-scripts'] },
  },
  {
    what: 'The image of Node, on which ours is built',
    when: 'the image is built',
    from: 'Docker Hub, or `NODE_IMAGE`',
    checked: TAG,
    code: {
      'deploy/images/Dockerfile': [
        'ARG NODE_IMAGE=',
        'FROM ${NODE_IMAGE} AS manifests',
        'FROM ${NODE_IMAGE} AS build',
        'FROM ${NODE_IMAGE} AS dependencies',
        'FROM ${NODE_IMAGE} AS runtime',
      ],
    },
  },
  {
    what: 'The image of Debian, on which the one of the whole system is built',
    when: 'the image is built',
    from: 'Docker Hub, or `DEBIAN_IMAGE`',
    checked: TAG,
    code: { 'deploy/images/ringdown.Dockerfile': ['ARG DEBIAN_IMAGE=', 'FROM ${DEBIAN_IMAGE}'] },
  },
  {
    what: 'Images of nats-server, PostgreSQL, Caddy and HAProxy',
    when: '`docker compose up`',
    from: 'Docker Hub, or `RINGDOWN_…_IMAGE`',
    checked: TAG,
    code: {
      'docker-compose.yml': [
        'RINGDOWN_NATS_IMAGE',
        'RINGDOWN_POSTGRES_IMAGE',
        'RINGDOWN_CADDY_IMAGE',
        'RINGDOWN_HAPROXY_IMAGE',
      ],
      'deploy/cluster.yml': ['RINGDOWN_NATS_IMAGE', 'RINGDOWN_HAPROXY_IMAGE'],
    },
  },
  {
    what: 'etcd, and Patroni on the image of PostgreSQL',
    when: 'a cluster of containers (`deploy/cluster.yml`)',
    from: 'quay.io, or `RINGDOWN_ETCD_IMAGE`; Docker Hub and Debian',
    checked: `${TAG}; packages of Debian by its signature`,
    code: {
      'deploy/cluster.yml': ['RINGDOWN_ETCD_IMAGE'],
      'deploy/cluster/postgres.Dockerfile': [
        'ARG POSTGRES_IMAGE=',
        'FROM ${POSTGRES_IMAGE}',
        'RUN apt-get update',
        'apt-get install -y',
      ],
    },
  },
  {
    what: 'Images of Prometheus and Grafana',
    when: '`deploy/monitoring.yml`',
    from: 'Docker Hub, or `RINGDOWN_…_IMAGE`',
    checked: TAG,
    code: { 'deploy/monitoring.yml': ['RINGDOWN_PROMETHEUS_IMAGE', 'RINGDOWN_GRAFANA_IMAGE'] },
  },
  {
    what: 'Images of nats-server, Caddy and PostgreSQL',
    when: '`kubectl apply`, and the charts that the [guide](guides/kubernetes.md) names',
    from: 'Docker Hub and ghcr.io, or what your overlay names',
    checked: TAG,
    code: {
      'deploy/kubernetes/base/edge.yaml': ['image: caddy:'],
      'deploy/kubernetes/nats/values-cluster.yaml': ['image: { repository: nats', 'image: nats:'],
      'deploy/kubernetes/nats/values-small.yaml': ['image: { repository: nats', 'image: nats:'],
      'deploy/kubernetes/postgres/cluster.yaml': ['imageName: '],
    },
  },
  {
    what: 'Servers and a browser for tests',
    when: 'tests, as root on Debian, if they are missing',
    from: 'the mirror of Debian that apt uses',
    checked: DEBIAN,
    code: { 'scripts/test-servers.mjs': ["spawnSync('apt-get', ['update'", "spawnSync('apt-get', ['install'"] },
  },
  {
    what: 'kubectl',
    when: 'tests of the manifests, into `.cache/kubectl`',
    from: 'the mirror of Debian that apt uses: Debian 13',
    checked: DEBIAN,
    code: { 'tests/deployment/src/kubectl.ts': ['installDebianProgram(wanted'] },
  },
  {
    what: 'Compose, buildx and oras',
    when: 'tests of the files of Compose and of images, into `.cache`',
    from: 'the mirror of Debian that apt uses: Debian 13',
    checked: DEBIAN,
    code: {
      'tests/deployment/src/compose-program.ts': ['installDebianProgram(wanted'],
      'scripts/test/images.mjs': ['installDebianProgram(program'],
    },
  },
  {
    what: 'A Docker engine, debootstrap, and images of Debian that stand in for those of the hub',
    when: '`RINGDOWN_TEST_ALL=1`, as root on Debian, where no engine answers',
    from: 'the mirror of Debian that apt uses',
    checked: DEBIAN,
    code: {
      'deploy/ci/ensure-docker.sh': ['apt-get update && apt-get install'],
      'deploy/ci/debian.sh': ['apt-get update && apt-get install'],
      'deploy/ci/make-base-images.sh': ['debootstrap --variant=minbase'],
      'deploy/ci/base-images/Dockerfile': [
        'ARG DEBIAN_IMAGE=ringdown-ci/debian:bookworm',
        'FROM ${DEBIAN_IMAGE} AS',
        'apt-get update && apt-get install -y',
        'apt-get -o Dir::Etc::sourcelist=/tmp/trixie.list update',
        'apt-get -o Dir::Etc::sourcelist=/tmp/trixie.list download nats-server',
        'RUN apt-get update && apt-get install -y',
      ],
    },
  },
  {
    what: 'The smallest Debian 12 and 13, in which packages are tried',
    when: '`npm run test:all` and `npm run test:packages`, as root on Debian, into `~/.cache/ringdown-roots`',
    from: 'the mirror of Debian that apt uses',
    checked: "Debian's signature, by debootstrap",
    code: { 'deploy/ci/make-root.sh': ['debootstrap --variant=minbase'] },
  },
  {
    what: 'Four actions of GitHub',
    when: 'workflows (not run so far)',
    from: 'github.com/actions',
    checked: 'the commit that is named',
    code: {
      '.github/workflows/release.yml': [
        'uses: actions/checkout@',
        'uses: actions/upload-artifact@',
        'uses: actions/download-artifact@',
        'uses: actions/attest-build-provenance@',
      ],
      '.github/workflows/tests.yml': ['uses: actions/checkout@'],
    },
  },
  {
    what: 'Images of Debian, and Node, npm, git, skopeo and oras in them',
    when: 'workflows (not run so far)',
    from: 'Docker Hub, and the mirror of Debian in the image',
    checked: `${TAG_ALONE}; ${DEBIAN}`,
    code: {
      '.github/workflows/release.yml': ['container: debian:', 'apt-get update && apt-get install -y'],
      '.github/workflows/tests.yml': [
        'container: debian:bookworm',
        'image: debian:bookworm',
        'apt-get update && apt-get install -y',
      ],
    },
  },
  {
    what: 'Packages of an older state of the project',
    when: '`npm run bench:upgrade`',
    from: 'the registry of npm that the machine uses',
    checked: 'sha512 in the `package-lock.json` of that state',
    code: { 'bench/upgrade/upgrade.mjs': ["execFileSync('npm', ['ci'"] },
  },
  {
    what: 'Other servers, to compare with',
    when: '`npm run bench:feed`, into `.cache`',
    from: 'npm and Debian',
    checked: `${DEBIAN}; packages of npm by nothing but their version`,
    code: { 'bench/feed/peers.mjs': ["spawnSync('npm', args", "spawnSync('apt-get', ['download'"] },
  },
];
