export { AuditedEditor, type Auditor } from '../audit/audited-editor.js';
export { auditedDifferences, auditedReason, parsePeopleAudit, type PeopleAudit } from '../audit/people-audit.js';
export {
  assertServed,
  PeopleConflict,
  type ChangeOptions,
  type ConflictKind,
  type NotStored,
  type PeopleEditor,
} from '../people/people-editor.js';
