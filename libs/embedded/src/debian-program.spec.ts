import { newerSources } from './debian-program.js';

const SIGNED = '[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]';

describe('the sources that programs are downloaded from', () => {
  it('are the mirrors of this machine with the newer release, each verified with the keys of Debian', () => {
    const targets = [
      'http://mirror.example.test/debian/ bookworm main',
      'http://mirror.example.test/debian/ bookworm contrib',
      'http://mirror.example.test/debian/ bookworm-updates main',
      'http://mirror.example.test/debian-security/ bookworm-security main',
      'http://mirror.example.test/debian/ bookworm main',
      'cdrom://[Debian 12]/ bookworm main',
      'http://apt.example.test/other/ stable main',
      '',
    ].join('\n');
    expect(newerSources(targets, 'bookworm')).toEqual([
      `deb ${SIGNED} http://mirror.example.test/debian/ trixie main`,
      `deb ${SIGNED} http://mirror.example.test/debian/ trixie-updates main`,
      `deb ${SIGNED} http://mirror.example.test/debian-security/ trixie-security main`,
    ]);
  });

  it('are empty when apt has no mirror of Debian', () => {
    expect(newerSources('http://apt.example.test/other/ stable main\n', 'bookworm')).toEqual([]);
  });
});
