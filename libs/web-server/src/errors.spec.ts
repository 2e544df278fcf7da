import { InterfaceError } from './doors/errors.js';

const row = { status: 400, code: 'bad-parameter', message: 'A parameter is wrong.' };

describe('an error for a client', () => {
  it('repeats at most twenty names that the client has sent, each shortened', () => {
    const parameters = Array.from({ length: 24_000 }, (_, index) => ({
      name: `${index}${'n'.repeat(1_000)}`,
      reason: 'r'.repeat(1_000),
      code: 'unknown',
    }));
    const { message, details } = new InterfaceError(row, { message: 'm'.repeat(100_000), parameters });
    expect(message).toHaveLength(2_000);
    expect(details.parameters).toHaveLength(20);
    const [{ name, reason, code } = { name: '', reason: '', code: '' }] = details.parameters ?? [];
    expect([name.length, reason.length, code]).toEqual([100, 500, 'unknown']);
  });

  it('has the message of its row, or that of its details', () => {
    expect(new InterfaceError(row).message).toBe('A parameter is wrong.');
    expect(new InterfaceError(row, { message: 'limit is wrong' }).message).toBe('limit is wrong');
  });
});
