import { describe, expect, it } from 'vitest';
import { childEnvironment, searchFolders } from '../../../../src-main/tools/process/child-environment.ts';

describe('the environment of a command', () => {
  it('EXEC-02: holds nothing of this process but what is named', () => {
    process.env['WARRANT_TEST_SECRET'] = 'do not pass on';
    const environment = childEnvironment({ path: '/opt/x/bin', home: '/home/ada', variables: { CI: '1' } }, 'linux');
    delete process.env['WARRANT_TEST_SECRET'];
    expect(environment).toMatchObject({ HOME: '/home/ada', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', CI: '1' });
    expect(Object.values(environment)).not.toContain('do not pass on');
    expect(environment['PATH']?.split(':')).toEqual(['/opt/x/bin', ...searchFolders('', 'linux')]);
  });

  it('EXEC-02: relative PATH entries and those with a parent folder are left out, and the system folders are last', () => {
    const folders = searchFolders('bin:./x::/usr/bin:/a/../b:/opt/bin:/opt/bin', 'linux');
    expect(folders).toEqual([
      '/usr/bin',
      '/opt/bin',
      '/usr/local/sbin',
      '/usr/local/bin',
      '/usr/sbin',
      '/sbin',
      '/bin',
    ]);
  });

  it("a person's variable cannot replace PATH or HOME", () => {
    const environment = childEnvironment(
      { path: '', home: '/h', variables: { PATH: '/evil', HOME: '/evil' } },
      'linux',
    );
    expect(environment['PATH']).not.toContain('/evil');
    expect(environment['HOME']).toBe('/h');
  });
});
