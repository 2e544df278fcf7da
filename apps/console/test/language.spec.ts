import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { allProcessed, fits, hasNoBarriers, soon, signedInToken } from './browser.js';
import { consoleUnderTest } from './console-under-test.js';
import { englishOn } from './english-words.js';
import { endXml, errorXml, lossXml, qualityXml, startXml } from './records.js';
import { trunkCallXml } from './trunk-calls.js';

const pcap = fileURLToPath(
  new URL('../../../../libs/call-capture/test/public-captures/zeek-wireshark.pcap', import.meta.url),
);

/** Of records, and of the first users: the same in each language. */
const DATA = ['audio', '486 Busy Here', 'Account Manager'];

describe('the language of the console', () => {
  const ui = consoleUnderTest({ ALERT_SECONDS: '1' });

  async function openGerman(
    path: string,
    options: BrowserContextOptions = {},
  ): Promise<{ page: Page; problems: readonly string[] }> {
    const opened = await ui.open({ locale: 'de-DE', ...options });
    const { page } = opened;
    const { username, password } = ui.system.user('carol');
    await page.goto(path);
    await page.getByLabel('Benutzername').fill(username);
    await page.getByLabel('Passwort').fill(password);
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page.getByRole('navigation', { name: 'Ansichten' }).waitFor();
    return opened;
  }

  async function isGerman(page: Page): Promise<void> {
    await soon(async () => expect(await englishOn(page, DATA)).toEqual([]));
  }

  it('is that of the browser, until another one is chosen in the menu, which is kept', async () => {
    const { username } = ui.system.user('carol');
    const { page, problems } = await openGerman('/console/account');
    await page.getByRole('navigation', { name: 'Ansichten' }).getByRole('link', { name: 'Qualität' }).waitFor();
    await page.getByRole('heading', { name: 'Sitzungen' }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('de');
    await hasNoBarriers(page);

    await page.getByRole('button', { name: `Angemeldet als ${username}` }).click();
    await page.getByRole('menuitem', { name: 'English' }).click();
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Quality' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    await soon(async () => expect(await page.evaluate('document.documentElement.lang')).toBe('en'));
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('is English, and loads no other, in a browser of a language that the console does not have', async () => {
    const { page } = await ui.open({ locale: 'fr-FR' });
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    await page.goto('/console/');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(loaded.filter((path) => /\/assets\/de-/.test(path))).toEqual([]);
    await page.context().close();
  });

  it('is German when the sign-in is refused', async () => {
    const { page, problems } = await ui.open({ locale: 'de-DE' });
    await page.goto('/console/account');
    await page.getByLabel('Benutzername').fill('carol');
    await page.getByLabel('Passwort').fill('wrong');
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page.getByText('Der Benutzername oder das Passwort ist falsch.').waitFor();
    await isGerman(page);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it.each([
    [{ error: 'invalid_grant', subcode: 'PersonUnknown' }, 'Der Anmeldedienst kennt Sie, dieser Server aber nicht.'],
    [{ error: 'temporarily_unavailable' }, 'Die Anmeldung ist gerade nicht möglich; bitte gleich erneut versuchen.'],
  ])('is German when the token service rejects a single sign-on with %j', async (refusal, words) => {
    const { page } = await ui.open({ locale: 'de-DE' });
    await page.goto('/console/');
    const pending = { state: 's', nonce: 'n', verifier: 'v', returnTo: '/console/live' };
    await page.evaluate((text) => sessionStorage.setItem('ringdown.sign-in', text), JSON.stringify(pending));
    // The provider is not part of this system: its rejection is one of the token service.
    await page.route('**/token', (route) =>
      route.fulfill({
        status: refusal.error === 'invalid_grant' ? 400 : 503,
        headers: { 'retry-after': '1' },
        json: { ...refusal, error_description: 'Not now.' },
      }),
    );
    await page.goto('/console/?code=c&state=s');
    await page.getByText(words).waitFor();
    await isGerman(page);
    await page.context().close();
  });

  it('is German when a guest is not admitted to a meeting', async () => {
    const { page, problems } = await ui.open({ locale: 'de-DE' });
    await page.goto('/meet/alice@example.test/ABCDEFGHJKLMNPQR');
    await page.getByLabel('Ihr Name').fill('Zoe');
    await page.getByRole('button', { name: 'Teilnehmen' }).click();
    await page.getByText(/^Die Besprechung ist beendet oder lässt keine Gäste zu/).waitFor();
    await isGerman(page);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('is English if the translation cannot be loaded', async () => {
    const { page } = await ui.open({ locale: 'de-DE' });
    await page.route('**/assets/de-*.js', (route) => route.abort());
    await page.goto('/console/');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('en');
    await page.context().close();
  });

  it('is German in the live view, without calls and with calls of all kinds', async () => {
    const { page, problems } = await openGerman('/console/live');
    await page.getByText('Keine laufenden Anrufe.').waitFor();
    await isGerman(page);
    await ui.system.post(
      startXml({ callId: 'other' }),
      startXml({ callId: 'bad', frontEnd: 'fe2.example.test' }),
      lossXml({ callId: 'bad', frontEnd: 'fe2.example.test' }, 0.4),
      errorXml({ callId: 'failed' }),
    );
    await page.locator('[data-call-id="failed"]').waitFor();
    await page.getByLabel('Gruppierung').selectOption('verdict');
    await page.getByRole('rowheader', { name: 'schlecht 1' }).waitFor();
    await isGerman(page);
    await page.getByRole('button', { name: 'gehalten 0' }).click();
    await page.getByText('Keine laufenden Anrufe entsprechen diesen Filtern.').waitFor();
    await page.getByRole('button', { name: 'Anhalten' }).click();
    await page.getByText('angehalten').waitFor();
    await isGerman(page);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('is German in the views of alerts', async () => {
    const { page, problems } = await openGerman('/console/alerts/rules/new');
    for (const measure of ['silentFeed', 'mos', 'shortCalls', 'badCalls']) {
      await page.getByLabel('Messgröße').selectOption(measure);
      await isGerman(page);
    }
    await ui.system.post(
      ...['1', '2', '3'].flatMap((callId) => [
        startXml({ callId, ago: 1_800 }),
        qualityXml({ callId, ago: 1_790 }, 0.5),
        endXml({ callId, ago: 1_790 }),
      ]),
    );
    await page.getByLabel('Name').fill('QX');
    await page.getByLabel('Auslösen über (%)').fill('20');
    await page.getByLabel('Anrufe mit Beginn in den letzten (Minuten)').fill('120');
    await page.getByLabel('Mindestanzahl der Anrufe').fill('1');
    await page.getByLabel('Ein Alarm je').selectOption('coverage');
    await page.getByRole('combobox', { name: 'Stummschaltung', exact: true }).selectOption('weekly');
    await page.getByLabel('So', { exact: true }).check();
    await page.getByLabel('Von (UTC)').fill('08:00');
    await page.getByLabel('Bis (UTC)').fill('08:01');
    await page.getByRole('button', { name: 'Stummschaltung hinzufügen' }).click();
    await page.getByText('Jeden Sonntag, 08:00 bis 08:01 UTC').waitFor();
    await page.getByRole('button', { name: 'Vorschau für die letzte Woche' }).click();
    await page.getByText(/^Diese Regel hätte in der letzten Woche/).waitFor();
    await page.getByRole('button', { name: 'Speichern' }).click();
    await page.waitForURL(/rules\/(?!new)/);
    await page.getByRole('button', { name: 'Testbenachrichtigung senden' }).click();
    await page.getByText('Die gespeicherte Regel hat keine Empfänger.').waitFor();
    await isGerman(page);
    // There is a second one beside the alert, if the aggregators have decided it meanwhile.
    await page.getByRole('navigation', { name: 'Alarme' }).getByRole('link', { name: 'Alle Alarme' }).click();
    await page
      .getByRole('cell', { name: 'Anteil schlechter Anrufe über 20 % in 2 Stunden, je Messabdeckung' })
      .waitFor();
    await page.getByRole('button', { name: 'QX stummschalten' }).click();
    await isGerman(page);
    await page.getByRole('menuitem', { name: 'für 1 Stunde' }).click();
    await page.getByText(/^stummgeschaltet bis/).waitFor();
    await isGerman(page);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('is German in the banner of a firing alert', async () => {
    const { page, problems } = await openGerman('/console/feeds');
    // Of a front end of its own: other tests have bad calls, too.
    const frontEnd = 'fe9.example.test';
    const bad = { callId: 'alerting', frontEnd, ago: 300 };
    await ui.system.post(startXml(bad), qualityXml(bad, 0.5), endXml({ ...bad, ago: 290 }));
    const headers = { authorization: `Bearer ${await signedInToken(page)}` };
    const data = {
      name: 'QY',
      measure: 'badCalls',
      search: { frontEnd },
      limit: 0.2,
      minimumCalls: 1,
      windowSeconds: 600,
    };
    const created = await page.request.post('/api/alert-rules', { headers, data: { ...data, severity: 'critical' } });
    const { id }: { id: string } = await created.json();
    const banner = page.getByRole('region', { name: 'Ausgelöste Alarme' });
    await banner.getByText(/QY: Anteil schlechter Anrufe: 100\s% bei 1 Anruf; Grenze: über 20\s%\.$/).waitFor();
    await isGerman(page);
    await page.request.delete(`/api/alert-rules/${id}`, { headers });
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('is German in the reason of a value that is not possible', async () => {
    const { page } = await openGerman('/console/calls?minLoss=7');
    await page
      .getByText('Diese Angaben fehlen oder sind nicht möglich: minLoss (keine Zahl im erlaubten Bereich).')
      .first()
      .waitFor();
    await page.context().close();
  });

  it('is German in the views of accounts', async () => {
    const { page, problems } = await openGerman('/console/accounts');
    await page.getByRole('button', { name: 'Person hinzufügen' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Zoe');
    await page.getByLabel('Benutzername', { exact: true }).fill('zoe@example.test');
    await isGerman(page);
    await page.getByRole('button', { name: 'Hinzufügen' }).click();
    await page.getByText(/^zoe@example.test wurde hinzugefügt, mit dem Passwort/).waitFor();
    await isGerman(page);
    await page.getByRole('rowheader').getByRole('link', { name: 'zoe@example.test' }).click();
    await page.getByRole('heading', { name: 'Sitzungen' }).waitFor();
    await page.getByText('aktiv, mit Passwort').waitFor();
    await isGerman(page);
    await page.getByRole('button', { name: 'Sperren' }).click();
    await page.getByText('gesperrt, mit Passwort').waitFor();
    await page.getByRole('button', { name: 'Passwort zurücksetzen' }).click();
    await page.getByRole('button', { name: 'Zurücksetzen und alle Sitzungen beenden' }).click();
    await page.getByText(/^zoe@example.test meldet sich mit dem Passwort/).waitFor();
    await isGerman(page);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('is German in the view of the own account, with what the server refuses', async () => {
    const { page, problems } = await openGerman('/console/account');
    const { password } = ui.system.user('carol');
    await page.getByText('hat 10 bis 256 Zeichen').waitFor();
    await page.getByText('diese Sitzung').waitFor();
    await isGerman(page);
    for (const [current, chosen, problem] of [
      [password, 'Password2026!', /^Das neue Passwort steht auf der Liste bekannter Passwörter/],
      [password, password, 'Das neue Passwort muss sich vom aktuellen unterscheiden.'],
      ['wrong', 'correct horse battery', 'Das aktuelle Passwort ist falsch.'],
    ] as const) {
      await page.getByLabel('Aktuelles Passwort').fill(current);
      await page.getByLabel('Neues Passwort', { exact: true }).fill(chosen);
      await page.getByLabel('Neues Passwort bestätigen').fill(chosen);
      await page.getByRole('button', { name: 'Passwort ändern' }).click();
      await page.getByText(problem).waitFor();
      await isGerman(page);
    }
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('is German in the view of captures', async () => {
    const { page, problems } = await openGerman('/console/captures');
    await page.getByText('Keine Mitschnitte in den letzten sieben Tagen.').waitFor();
    await isGerman(page);
    await page.getByLabel('Mitschnittdatei').setInputFiles(pcap);
    await page.getByRole('button', { name: 'Hochladen' }).click();
    await page.getByText(/^Gelesen: /).waitFor();
    await page.getByRole('button', { name: 'Entfernen' }).click();
    await isGerman(page);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it.each([
    'search',
    'quality',
    'quality?compare=frontEnd',
    'capacity',
    'feeds',
    'feeds/fe9.example.test',
    'live?codec=opus',
    'people',
    'start',
  ])('is German in the view %s', async (name) => {
    const path = name === 'search' ? 'calls' : name;
    const { page, problems } = await openGerman(`/console/${path}`);
    await page.getByRole('main').getByRole('heading').first().waitFor();
    await soon(async () => expect(await page.getByText('Wird geladen …').count()).toBe(0));
    await isGerman(page);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('is German in the view of capacity, with the limit of a trunk', async () => {
    await ui.system.post(...trunkCallXml({ callId: 'carried', trunk: 'north', ago: 900, lasts: 60 }));
    const { page, problems } = await openGerman('/console/capacity?last=1h');
    await allProcessed(page);
    await page.reload();
    await page.getByRole('button', { name: 'Grenzwert setzen: north' }).click();
    const dialog = page.getByRole('dialog', { name: 'Grenzwert von north' });
    await isGerman(page);
    await dialog.getByLabel('Gleichzeitige Anrufe').fill('1');
    await dialog.getByRole('button', { name: 'Speichern' }).click();
    await page.getByText('höchstens 1 Anruf, Grenzwert 1').waitFor();
    await page.getByRole('button', { name: 'Grenzwert ändern: north' }).click();
    await dialog.getByRole('button', { name: 'Grenzwert entfernen' }).click();
    await isGerman(page);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it.each([320, 360])('leaves the navigation on a phone %d pixels wide without scrolling', async (width) => {
    const { page } = await openGerman('/console/live', { viewport: { width, height: 640 } });
    const views = page.getByRole('navigation', { name: 'Ansichten' });
    for (const view of ['Alarme', 'Personen', 'Konten']) {
      await views.getByRole('button', { name: /Ansichten/ }).press('Enter');
      await page.getByRole('menuitem', { name: view }).press('Enter');
      await views.getByRole('button', { name: new RegExp(`^${view}`) }).waitFor();
      expect(await views.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
      await fits(page);
    }
    await page.context().close();
  });

  it('is German in the view of a call, with its numbers', async () => {
    await ui.system.post(startXml({ callId: 'lossy' }), lossXml({ callId: 'lossy' }, 0.125));
    const { page, problems } = await openGerman('/console/calls/lossy');
    await allProcessed(page);
    await page.reload();
    await page.getByText(/^Paketverlust 12,5\s% \(/).waitFor();
    await page.getByRole('row', { name: /^Paketverlust 12,5\s% schlecht/ }).waitFor();
    expect(await page.locator('dl time').first().textContent()).toMatch(/^\d\d?:\d\d:\d\d$/);
    await page.getByRole('option', { name: /Zwischenbericht audio: Verlust 12,5\s%/ }).waitFor();
    await isGerman(page);
    await hasNoBarriers(page);
    expect(problems).toEqual([]);
    await page.context().close();
  });
});
