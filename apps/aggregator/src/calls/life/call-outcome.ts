import { CALLERS_OUTCOMES } from '@ringdown/call-catalogue/choices';
import { diagnosticsValue, parseDiagnostics } from '@ringdown/xml-schemas/fields';
import type { Outcome } from '@ringdown/xml-schemas/record';
import type { Call, Refusal } from '../call.js';

/** "See response code and reason phrase": the source only repeats what another one answered. */
const SEE_RESPONSE = 2;
/** Keys of the machine that answered, the most exact first; those of our demo, and of the vendor's mediation servers. */
const HOP_KEYS = ['gateway', 'GatewayFqdn'];

/** Whether a call that ended with this SIP status failed by a fault, and not because a person, a phone or a number answered so. */
export function isFault(code: number | null | undefined): boolean {
  return typeof code === 'number' && code >= 400 && !CALLERS_OUTCOMES.includes(code);
}

/** Where a call failed by a fault, as the outcomes of its last error name it. `trunks`: those of the callees. */
export function refusalIn(outcomes: readonly Outcome[], trunks: readonly string[]): Refusal | null {
  const hop = refusingHop(outcomes) ?? null;
  const trunk = refusingTrunk(outcomes, trunks) ?? null;
  return hop === null && trunk === null ? null : { hop, trunk };
}

function refusingHop(outcomes: readonly Outcome[]): string | undefined {
  const all = outcomes.flatMap(({ diagnostics, diagnosticsClient, diagnosticsPublic }) =>
    [diagnostics ?? [], diagnosticsClient ?? [], diagnosticsPublic ?? []].flat(),
  );
  const named = HOP_KEYS.flatMap((key) => all.flatMap((each) => diagnosticsValue(each, key) ?? []));
  const sources = all.flatMap((each) => (each.code === SEE_RESPONSE ? [] : (diagnosticsValue(each, 'source') ?? [])));
  return [...named, ...sources].map((name) => name.trim()).find((name) => name !== '');
}

/** A text of diagnostics may name anything: only the trunk of a party is one. */
function refusingTrunk(outcomes: readonly Outcome[], trunks: readonly string[]): string | undefined {
  const named = outcomes.flatMap(({ diagnostics }) => diagnosticsValue(diagnostics, 'trunk')?.toLowerCase() ?? []);
  return trunks.find((trunk) => named.includes(trunk.toLowerCase())) ?? trunks[0];
}

/** The final statuses of a call that nobody answered; without one, the caller gave up (RFC 3261, 21.4). */
const UNANSWERED: readonly (number | null)[] = [408, 480, 487, null];
const RINGING = 180;

/** Whether it rang until it failed, and nobody answered, declined or was busy. */
export function rangOut({
  state,
  end,
  ringSeconds,
  details,
}: Pick<Call, 'state' | 'end' | 'ringSeconds' | 'details'>): boolean {
  if (state !== 'failed' || end === null || !UNANSWERED.includes(end.code)) return false;
  const rang = (ringSeconds ?? 0) > 0 || (details.responses ?? []).some(({ code }) => code === RINGING);
  return rang && !end.diagnostics.some(({ text }) => isElsewhere(text));
}

/** Another phone has answered: `Reason` SIP 200 (RFC 3326, 3.1), or "non-selected user clearing" of Q.850, as our sender writes them. */
function isElsewhere(text: string): boolean {
  const given = parseDiagnostics(text);
  const item = (key: string): string => diagnosticsValue(given, key)?.toUpperCase() ?? '';
  const [protocol, cause] = [item('protocol'), item('cause')];
  if (item('reason') === 'CALL COMPLETED ELSEWHERE') return true;
  return (protocol === 'SIP' && cause === '200') || (protocol.replace('.', '') === 'Q850' && cause === '26');
}

/** Whether the call was transferred, or a transfer led to it. `Replaces` alone may be a pickup. */
export function isTransferred({ details }: Pick<Call, 'details'>): boolean {
  return details.transferredTo !== undefined || (details.referredBy ?? []).length > 0;
}
