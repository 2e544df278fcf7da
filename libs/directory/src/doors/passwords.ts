export { generatePassword, hashPassword, PasswordChecks, type PasswordCheckOptions } from '../passwords.js';
export {
  describePasswordRules,
  MAX_PASSWORD_LENGTH,
  passwordProblem,
  readPasswordRules,
  type PasswordRule,
  type PasswordRuleCode,
  type PasswordRules,
} from '../password-rules/password-rules.js';
export { CurrentRules } from '../password-rules/current-rules.js';
export { passwordSettings } from '../password-rules/password-settings.js';
export { passwordMark, withNewPassword, withSessionsEnded } from '../secret.js';
