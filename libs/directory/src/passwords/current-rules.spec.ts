import { quietLogger } from '@ringdown/testing/quiet-logger';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CurrentRules } from './current-rules.js';

describe('the current rules for new passwords', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-rules-'));
  const badPasswordsFile = join(folder, 'bad.txt');
  const settings = { passwordMinLength: 10, badPasswordsFile };
  afterAll(() => rmSync(folder, { recursive: true }));

  it('follow the file of bad passwords, and keep them while it is wrong', async () => {
    writeFileSync(badPasswordsFile, 'turnip greens\n');
    const rules = await CurrentRules.open(settings, quietLogger());
    const has = async (): Promise<readonly boolean[]> => {
      const { bad } = await rules.read();
      return ['turnip greens', 'purple carrots'].map((password) => bad.has(password));
    };
    expect(await has()).toEqual([true, false]);
    writeFileSync(badPasswordsFile, 'turnip greens\nPurple Carrots\n');
    expect(await has()).toEqual([true, true]);
    writeFileSync(badPasswordsFile, Buffer.from([0xff, 0xfe, 0x00]));
    expect(await has()).toEqual([true, true]);
    rmSync(badPasswordsFile);
    expect(await has()).toEqual([true, true]);
    writeFileSync(badPasswordsFile, 'purple carrots\n');
    expect(await has()).toEqual([false, true]);
  });

  it('are not opened with a file that does not exist', async () => {
    const missing = { ...settings, badPasswordsFile: join(folder, 'missing') };
    await expect(CurrentRules.open(missing, quietLogger())).rejects.toThrow('BAD_PASSWORDS_FILE');
  });

  it('need no file', async () => {
    const rules = await CurrentRules.open({ passwordMinLength: 12, badPasswordsFile: undefined }, quietLogger());
    expect((await rules.read()).minLength).toBe(12);
  });
});
