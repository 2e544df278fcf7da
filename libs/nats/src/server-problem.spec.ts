import { serverProblem } from './server-problem.js';

describe('a NATS server', () => {
  it.each(['2.10.0', '2.10.27-Debian', '2.12.1-RC.1', '3.0.0'])('is accepted with version %s', (version) => {
    expect(serverProblem({ version })).toBeUndefined();
  });

  it.each(['2.11.0', '2.15.1', '3.0.0'])('of a cluster is accepted with version %s', (version) => {
    expect(serverProblem({ version, cluster: 'calls' })).toBeUndefined();
  });

  it.each(['2.10.0', '2.10.27-Debian'])('of a cluster causes a warning with version %s', (version) => {
    expect(serverProblem({ version, cluster: 'calls' })).toEqual({
      reason: `nats-server ${version} of a cluster can lose acknowledged records when the disk of one server is full; use a later version`,
      fatal: false,
    });
  });

  it.each(['2.9.10', '2.9.25', '1.4.1', ''])('causes a warning with version %j when it runs alone', (version) => {
    expect(serverProblem({ version })).toEqual({ reason: expect.stringContaining('use 2.10 or later'), fatal: false });
  });

  it('is rejected before 2.10 when it belongs to a cluster', () => {
    expect(serverProblem({ version: '2.9.10', cluster: 'calls' })).toEqual({
      reason: 'nats-server 2.9.10 of a cluster can lose acknowledged records; use 2.10 or later',
      fatal: true,
    });
  });
});
