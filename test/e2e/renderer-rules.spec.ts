// The permissions page: rules are shown, made for a scope, and removed; remembered answers are forgotten together.
import { expect, expectAccessible, test } from './renderer-fixture.ts';

test('a rule is added for this project, shown with where it holds, and removed', async ({ openWindow }) => {
  const page = await openWindow('working');
  await page.keyboard.press('Control+,');
  await page.getByRole('tab', { name: 'Permissions' }).click();
  const rules = page.getByRole('region', { name: 'Rules' });
  const fresh = rules.getByRole('group', { name: 'New rule' });
  await fresh.getByRole('button', { name: /^Where it holds/ }).click();
  await page.getByRole('menuitemradio', { name: 'This project' }).click();
  await fresh.getByRole('textbox').fill('git log *');
  await fresh.getByRole('button', { name: 'Add', exact: true }).click();
  const row = rules.getByRole('listitem').filter({ hasText: 'shell:git log *' });
  await expect(row).toContainText('in shop');
  await expectAccessible(page);
  await row.getByRole('button', { name: 'Remove the rule for shell:git log *' }).click();
  await expect(row).toHaveCount(0);
});
