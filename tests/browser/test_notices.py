"""A closed page is called to its table: the switch, the push service, the service worker."""

import json
from pathlib import Path

from playwright.sync_api import Playwright, expect

from browsing import PHONE, Server, invite, launch
from push_service import push_service
from tables import FRIEND, ME, notifying_server

# Headless browsers have no push service of their own: ours takes its place.
SUBSCRIBE = """([endpoint, publicKey, auth]) => {
  const bytes = (text) => Uint8Array.from(
    atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0)
  ).buffer;
  const subscription = {
    endpoint,
    getKey: (name) => bytes(name === "auth" ? auth : publicKey),
    unsubscribe: async () => { window.unsubscribed = true; },
  };
  let current = null;
  PushManager.prototype.getSubscription = async () => current;
  PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
    if (!userVisibleOnly || applicationServerKey.length !== 65) throw new Error("bad options");
    current = { ...subscription, options: { applicationServerKey: null } };
    return current;
  };
}"""
SHOWN = """navigator.serviceWorker.ready.then((it) => it.getNotifications()).then(
  (all) => all.map(({ title, body, tag, data }) => ({ title, body, tag, data })))"""


def test_a_closed_page_is_called_to_its_table(playwright: Playwright, tmp_path: Path) -> None:
    browser = launch(playwright)  # the shell denies all notifications
    with push_service() as push, notifying_server(tmp_path / "data", push.host) as running:
        server = Server(tmp_path, port=int(running.address.rstrip("/").rpartition(":")[2]))
        ada = invite(
            browser,
            server,
            service_workers="allow",
            permissions=["notifications"],
            viewport=PHONE,
        )
        keys = push.subscription()
        values = json.dumps([keys["endpoint"], keys["public"], keys["auth"]])
        ada.context.add_init_script(f"({SUBSCRIBE})({values})")
        code, [token] = running.create({**ME, "name": "Ada"}, FRIEND)
        ada.context.add_init_script(f"localStorage['foxclover.seat.{code}.{token}'] ??= '1'")
        ada.page.goto(f"{server.address}/t/{code}")
        ada.page.get_by_role("button", name="Settings").click()
        switch = ada.page.get_by_role("switch", name="Call me to this table")
        expect(switch).not_to_be_checked()
        switch.check()
        expect(ada.page.get_by_label("Reminder")).to_have_value("24")
        for name in ("Start of quiet hours", "End of quiet hours"):
            with ada.page.expect_response("**/api/me/call/settings*"):
                ada.page.get_by_label(name).fill("00:00")
        session = ada.context.new_cdp_session(ada.page)
        registrations: list[str] = []
        session.on(
            "ServiceWorker.workerRegistrationUpdated",
            lambda event: registrations.extend(
                found["registrationId"] for found in event["registrations"]
            ),
        )
        session.send("ServiceWorker.enable")
        ada.home()  # the table is closed
        running.join(code, name="Bo")
        [notice] = push.wait_for(1)
        assert notice == {
            "table": code,
            "title": "Ganz schön clever",
            "body": "It is your turn. Bo waits for you.",
        }
        session.send(
            "ServiceWorker.deliverPushMessage",
            {
                "origin": server.address,
                "registrationId": registrations[-1],
                "data": json.dumps(notice),
            },
        )
        shown = {key: notice[key] for key in ("title", "body")}
        ada.wait_for(
            lambda: ada.page.evaluate(SHOWN),
            [{**shown, "tag": f"table-{code}", "data": code}],
        )
        ada.page.reload()
        expect(ada.page.locator(".your-turn")).to_have_text("Your turn since")
        expect(ada.page).to_have_title("(1) Fox & Clover")
        ada.page.click(".table-row")
        ada.page.get_by_role("button", name="Settings").click()
        expect(switch).to_be_checked()
        switch.uncheck()
        expect(ada.page.get_by_label("Reminder")).to_have_count(0)
        assert ada.faults == []
        browser.close()
