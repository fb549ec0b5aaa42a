// SQL texts of migrations in their statements. Ours have no triggers and no semicolons in literals.

/** The statements of a text, without comments, in order. */
export function statementsOf(sql: string): string[] {
  return sql
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
