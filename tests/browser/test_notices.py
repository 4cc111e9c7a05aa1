"""A closed page is called to its table: the switch, the push service, the service worker."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Playwright, ViewportSize, expect

from browsing import PHONE, Server, invite, launch
from push_service import chat_service, push_service
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

# A click that no person made may not open windows: what the worker asks for is noted instead.
CLICK = """async () => {
  const opened = [];
  clients.openWindow = async (address) => void opened.push(String(address));
  const [notification] = await registration.getNotifications();
  const event = new NotificationEvent("notificationclick", { notification });
  const done = new Promise((resolve) => { event.waitUntil = resolve; });
  dispatchEvent(event);
  await done;
  return [opened, (await registration.getNotifications()).length];
}"""


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
        [worker] = ada.context.service_workers
        assert worker.evaluate(CLICK) == [[f"{server.address}/t/{code}"], 0]
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


@pytest.mark.parametrize(
    "viewport", [PHONE, {"width": 1280, "height": 800}], ids=["phone", "desktop"]
)
def test_a_webhook_is_added_tested_and_removed(
    playwright: Playwright, tmp_path: Path, viewport: ViewportSize
) -> None:
    browser = launch(playwright)
    with chat_service() as chat, notifying_server(tmp_path / "data", chat.host) as running:
        server = Server(tmp_path, port=int(running.address.rstrip("/").rpartition(":")[2]))
        ada = invite(browser, server, viewport=viewport)
        code, [token] = running.create({**ME, "name": "Ada"}, FRIEND)
        ada.context.add_init_script(f"localStorage['foxclover.seat.{code}.{token}'] ??= '1'")
        ada.page.goto(f"{server.address}/t/{code}")
        ada.page.get_by_role("button", name="Settings").click()
        ada.page.get_by_text("Write to a group chat").click()
        ada.page.get_by_label("Chat service").select_option("ntfy")
        address = ada.page.get_by_label("Address of the webhook")
        address.fill("http://10.0.0.1/hook")
        ada.page.get_by_role("button", name="Add webhook").click()
        expect(ada.page.get_by_role("alert")).to_contain_text("https://")
        ada.faults.clear()  # the browser notes the refusal
        address.fill(chat.address())
        ada.page.get_by_role("button", name="Add webhook").click()
        expect(address).to_have_value("")
        expect(ada.page.get_by_role("group", name=f"ntfy · {chat.host}")).to_be_visible()
        expect(ada.page.get_by_label("For this table")).to_be_checked()
        expect(ada.page.get_by_label("New daily challenge")).not_to_be_checked()
        ada.page.get_by_label("New daily challenge").check()
        ada.page.get_by_role("button", name="Send test").click()
        expect(ada.page.get_by_text("The test message was sent.")).to_be_visible()
        assert chat.received[0]["body"].startswith("This is a test.")
        assert ada.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        ada.home()  # the table is closed
        running.join(code, name="Bo")
        assert "turn of Ada" in chat.wait_for(2)[1]["body"]
        ada.page.goto(f"{server.address}/t/{code}")
        ada.page.get_by_role("button", name="Settings").click()
        expect(ada.page.get_by_label("New daily challenge")).to_be_checked()
        ada.page.get_by_role("button", name="Remove webhook").click()
        ada.page.get_by_role("button", name="Really remove?").click()
        expect(ada.page.get_by_label("For this table")).to_have_count(0)
        assert ada.faults == []
        browser.close()
