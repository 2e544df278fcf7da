import { childEnvironment, downloadEnvironment } from './child-environment.js';

const env = {
  PATH: '/bin',
  LC_TIME: 'de_DE',
  https_proxy: 'http://proxy.test',
  APT_CONFIG: '/etc/a',
  IDENTITY_SEED: 'x',
};

describe('the environment of a child process', () => {
  it('has what programs need, and no setting of ours', () => {
    expect(childEnvironment(env)).toEqual({ PATH: '/bin', LC_TIME: 'de_DE' });
  });

  it('also has the way to the network, in English, for a program that downloads', () => {
    const { IDENTITY_SEED: _, ...needed } = env;
    expect(downloadEnvironment(env)).toEqual({ ...needed, LC_ALL: 'C' });
  });
});
