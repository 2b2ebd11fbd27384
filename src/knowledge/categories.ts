import { KaizenError } from '../core/errors';
import { sentence } from '../core/sentence';
import type { Transaction } from '../store';
import { checkCategoryDescription } from './names';
import { entriesTopic, namesTopic } from './schema';

/**
 * Sets what a category is about; an empty text takes it away, and the category with it when it holds no entries.
 * Nothing is written when it says so already.
 */
export function describeCategory(
  transaction: Transaction,
  { scope_id, name }: { scope_id: string; name: string },
  text: string,
): void {
  const description = text.trim() === '' ? null : checkCategoryDescription(text.trim());
  if (!transaction.get('SELECT 1 FROM scope WHERE id = ?', [scope_id])) {
    throw new KaizenError('unknown_scope', sentence('The scope "{0}" was deleted meanwhile.', scope_id));
  }
  const before = transaction.get<{ description: string | null }>(
    'SELECT description FROM category WHERE scope_id = ? AND name = ?',
    [scope_id, name],
  );
  if ((before?.description ?? null) === description) return;
  if (description === null) {
    transaction.run('UPDATE category SET description = NULL WHERE scope_id = ? AND name = ?', [scope_id, name]);
    transaction.run('DELETE FROM category WHERE scope_id = ? AND name = ? AND entries = 0', [scope_id, name]);
  } else {
    transaction.run(
      `INSERT INTO category (scope_id, name, description) VALUES (?, ?, ?)
       ON CONFLICT (scope_id, name) DO UPDATE SET description = excluded.description`,
      [scope_id, name, description],
    );
  }
  transaction.touch(entriesTopic(scope_id));
  transaction.touch(namesTopic(scope_id));
}
