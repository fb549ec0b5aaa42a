// Stands in for Electron's `Menu`: app windows of the browser have no menu bar, so the template is kept and not shown. The
// page has all commands itself, and the browser its own keys for zoom, reload and closing.
import type Electron from 'electron';

type Template = Parameters<typeof Electron.Menu.buildFromTemplate>[0];

/** A menu that is kept, not shown. */
export class Menu {
  static #applicationMenu: Menu | null = null;
  readonly template: Template;

  private constructor(template: Template) {
    this.template = template;
  }

  static buildFromTemplate(template: Template): Menu {
    return new Menu(template);
  }

  static setApplicationMenu(menu: Menu | null): void {
    Menu.#applicationMenu = menu;
  }

  static getApplicationMenu(): Menu | null {
    return Menu.#applicationMenu;
  }
}
