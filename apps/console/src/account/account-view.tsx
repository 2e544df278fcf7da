import type { ReactNode } from 'react';
import sections from '../parts/sections.module.css';
import { PasswordForm } from './password-form.js';
import { SessionTable } from './session-table.js';

/** What people do with their own account. */
export function AccountView(): ReactNode {
  return (
    <div className={sections['sections']}>
      <h1 className="unseen">My account</h1>
      <PasswordForm />
      <SessionTable />
    </div>
  );
}
